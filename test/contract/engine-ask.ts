import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Piece } from '../../src/domain/completion.ts'
import type { Answer, Engine } from '../../src/domain/engine.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { reply, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'

export const request: SmokeRequest = {
  prompt: 'Say hello',
  budget: 200,
  temperature: null,
  thinking: null,
  stream: true,
  model: 'demo',
}

/** Talks to a server that answers like the dialect says, and gives the answer with its pieces. */
export async function askServer(
  engine: Engine,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  asked: Partial<SmokeRequest> = {},
  patienceMs = 2_000,
): Promise<Answer & { pieces: Piece[] }> {
  const server = await keep(serve(respond))
  const pieces: Piece[] = []
  const watch = { patienceMs, onPiece: (piece: Piece) => void pieces.push(piece) }
  const answer = await engine.complete(open(server.url), { ...request, ...asked }, watch, never)
  return { ...answer, pieces }
}

export function stream(response: ServerResponse, text: string): void {
  reply(response, 200, 'text/event-stream', text)
}
