import { describe, expect, test } from 'vitest'
import { recorded } from '../../src/adapters/http-recorded.ts'
import { isStream, recordingOf } from '../../src/app/diagnose/answer-recording.ts'
import type { Answer } from '../../src/domain/engine.ts'
import { engines } from '../../src/engines/index.ts'
import { serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { request } from '../contract/engine-ask.ts'
import { answers } from './labelled-answers.ts'

/** Those that the server itself ended: a silence of a minute is not waited for here. */
const ended = answers.filter(({ input }) => input.response['end'] === 'eof')

/** What the judgement sees; times and the name of the server are not recorded. */
function seenIn({ completion, failure, exchange }: Answer) {
  const { timing: _, ...said } = completion ?? { timing: null }
  return {
    said: completion === null ? null : said,
    failure: failure === null ? null : { kind: failure.kind, complaint: failure.http?.complaint ?? null },
    status: exchange.status,
    body: exchange.response,
    end: exchange.end,
  }
}

describe('an answer that is read again says what it said when it came', () => {
  test.each(ended.map((one) => [one.id, one.input.response] as const))('%s', async (_, response) => {
    const recording = recordingOf(response, {})
    const stream = isStream(recording.text)
    const server = await keep(
      serve((__, reply) => void reply.writeHead(recording.status ?? 200, recording.headers).end(recording.text)),
    )
    for (const engine of engines) {
      const watch = { patienceMs: 5_000, onPiece() {} }
      const live = await engine.complete(open(server.url), { ...request, stream }, watch, never)
      expect(seenIn(engine.reread(recorded(recording), stream))).toEqual(seenIn(live))
    }
  })
})
