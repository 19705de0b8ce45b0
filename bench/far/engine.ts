import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLlamaServer } from '../../test/far/engine/llama-server.ts'
import type { ModelName } from '../../test/far/engine/models/index.ts'
import { modelFile } from '../../test/far/engine/models/index.ts'
import { provideEngine } from '../../test/far/engine/provide.ts'

/** A real engine, for models that misbehave by themselves. */
export interface RealEngine {
  /** `llama-server 0.7.0` */
  readonly name: string
  serve(model: ModelName): Promise<{ readonly url: string; stop(): Promise<void> }>
}

/** The engine that the tests of the far side have; a text says why there is none. */
export async function realEngine(): Promise<RealEngine | string> {
  const root = join(import.meta.dirname, '../..')
  const archive = process.env['PILOTFLAME_ENGINE_ARCHIVE'] ?? null
  const places = { cache: join(root, 'cache'), mirror: null, archive, only: null, limitMs: 90_000 }
  try {
    const { program, version } = await provideEngine(places, (line) => console.error(line))
    const folder = mkdtempSync(join(tmpdir(), 'pilotflame-models-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return {
      name: `llama-server ${version}`,
      serve(model) {
        const file = join(folder, `${model}.gguf`)
        writeFileSync(file, modelFile(model))
        return startLlamaServer({ program, model: file, paced: false })
      },
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
