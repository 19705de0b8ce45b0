import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Code } from '../../src/domain/code.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import type { Others, Setup } from './desk.ts'
import { chainModel, path } from './engine/models/chain.ts'
import { modelFile } from './engine/models/index.ts'
import { END, THINK_END } from './engine/models/vocabulary.ts'
import type { Program } from './engine/program.ts'
import { hold } from './sglang-double/home.ts'

/** Where one fault is played. */
export interface Site {
  readonly home: string
  readonly port: number
  readonly others: Others
  /** the real engine; null where this machine has none */
  readonly engine: Program | null
}

export interface Fault {
  readonly name: string
  readonly code: Code
  readonly setup: (site: Site) => Setup
  /** of SGLang, in its double */
  readonly version?: string
  /** it wants a real llama-server */
  readonly real?: true
  /** what the model came without */
  readonly lacks?: 'template'
  /** what others did before */
  readonly before?: (site: Site) => Promise<unknown>
}

const MODEL = '/srv/models/Qwen3.6-27B'
const SERVES = ['--model-path', MODEL, '--tp-size', '2']
const PARSED = [...SERVES, '--reasoning-parser', 'qwen3']

/** Each can be caused by flags, versions, files and processes of a machine, and undone in the same way. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'old version: 0.5.9 on two GPUs answers null',
    code: 'model.immediate-eos',
    version: '0.5.9',
    setup: sglang(PARSED),
  },
  {
    name: 'old version: 0.5.9 on two GPUs goes round in a sum',
    code: 'model.degenerate-loop',
    version: '0.5.9',
    setup: sglang(PARSED, { prompt: 'What is 2 + 2?' }),
  },
  {
    name: 'old version: 0.5.8 does not know the class',
    code: 'version.too-old',
    version: '0.5.8',
    setup: sglang(PARSED),
  },
  {
    name: 'end in thinking',
    code: 'model.eos-in-reasoning',
    version: '0.5.12',
    setup: sglang(PARSED),
  },
  {
    name: 'wrong parser: it takes all for thinking',
    code: 'parser.reasoning-wrong',
    setup: sglang([...SERVES, '--reasoning-parser', 'deepseek-r1'], { thinking: false }),
  },
  { name: 'missing parser', code: 'parser.reasoning-missing', setup: sglang(SERVES) },
  {
    name: 'static fraction too low',
    code: 'mem.static-too-small',
    version: '0.5.11',
    setup: sglang([...PARSED, '--mem-fraction-static', '0.5']),
  },
  {
    name: 'static fraction too low, newer wording',
    code: 'mem.static-too-small',
    setup: sglang([...PARSED, '--mem-fraction-static', '0.5']),
  },
  {
    name: 'static fraction too high',
    code: 'mem.cuda-graph',
    setup: sglang([...PARSED, '--mem-fraction-static', '0.97']),
  },
  {
    name: 'too few GPUs for the weights',
    code: 'mem.does-not-fit',
    setup: sglang(['--model-path', MODEL, '--reasoning-parser', 'qwen3', '--tp-size', '1']),
  },
  {
    name: 'missing flag: state strategy of speculative decoding',
    code: 'config.spec-mamba',
    version: '0.5.11',
    setup: sglang([...PARSED, '--speculative-algorithm', 'NEXTN']),
  },
  {
    name: 'port taken by the server from before',
    code: 'proc.port-taken',
    setup: sglang(PARSED),
    before: ({ port, home, others: all }) => all.start(double(home), [...SERVES, '--port', String(port)]),
  },
  {
    name: 'stale GPU user, on one of two GPUs',
    code: 'proc.stale-gpu-user',
    setup: sglang(PARSED),
    before: (site) => holder(site, [1]),
  },
  {
    name: 'stale GPU user, named by torch',
    code: 'proc.stale-gpu-user',
    setup: sglang(PARSED),
    before: (site) => holder(site, [0, 1]),
  },
  {
    name: 'budget larger than the context',
    code: 'context.exceeded',
    setup: sglang([...PARSED, '--context-length', '4096']),
  },
  {
    name: 'context too small for the prompt',
    code: 'context.exceeded',
    setup: sglang([...PARSED, '--context-length', '512'], { prompt: 'Say hello. '.repeat(300), budget: 400 }),
  },
  {
    name: 'context longer than the model was made for',
    code: 'context.exceeded',
    setup: sglang([...PARSED, '--context-length', '524288']),
  },
  { name: 'missing template', code: 'template.missing', lacks: 'template', setup: sglang(PARSED) },
  {
    name: 'wrong model name',
    code: 'request.model-name',
    setup: () => ({
      program: program(new URL('./vllm-double.ts', import.meta.url), {}),
      flags: [MODEL, '--served-model-name', 'qwen3.6', '--reasoning-parser', 'qwen3'],
      asked: { model: 'Qwen3.6-27B' },
    }),
  },
  {
    name: 'budget too small to think',
    code: 'budget.reasoning-exhausted',
    real: true,
    setup: llama(modelFile('healthy'), [], { budget: 12 }),
  },
  {
    name: 'budget that cuts the answer',
    code: 'budget.too-small',
    real: true,
    setup: llama(modelFile('healthy'), [], { budget: 18 }),
  },
  {
    name: 'loop at temperature 0',
    code: 'sampling.greedy-loop',
    real: true,
    setup: llama(greedyModel(), ['--seed', '7'], { temperature: 0, budget: 2000 }),
  },
  {
    name: 'missing parser of llama.cpp',
    code: 'parser.reasoning-missing',
    real: true,
    setup: llama(modelFile('healthy'), ['--reasoning-format', 'none']),
  },
  {
    name: 'context of llama.cpp too small for the prompt',
    code: 'context.exceeded',
    real: true,
    setup: llama(modelFile('healthy'), ['-c', '256'], { prompt: 'Say hello. '.repeat(60), budget: 200 }),
  },
  {
    name: 'port of llama.cpp taken by the server from before',
    code: 'proc.port-taken',
    real: true,
    setup: llama(modelFile('healthy')),
    before: async (site) => {
      const { program: old, flags } = llama(modelFile('eos'))(site)
      await site.others.start(old, [...flags, '--port', String(site.port)])
    },
  },
]

function program(file: URL, env: Program['env']): Program {
  return { file: process.execPath, args: [fileURLToPath(file)], env }
}

function double(home: string): Program {
  return program(new URL('./sglang-double.ts', import.meta.url), { SGLANG_DOUBLE_HOME: home })
}

function sglang(flags: readonly string[], asked: Partial<SmokeRequest> = {}) {
  return ({ home }: Site): Setup => ({ program: double(home), flags, asked })
}

function llama(model: Buffer, flags: readonly string[] = [], asked: Partial<SmokeRequest> = {}) {
  return ({ home, engine }: Site): Setup => {
    if (engine === null) throw new Error('there is no engine')
    const file = join(home, `${createHash('sha256').update(model).digest('hex').slice(0, 8)}.gguf`)
    writeFileSync(file, model)
    const usual = ['-m', file, '--host', '127.0.0.1', '-np', '1', '-t', '1', '--no-ui']
    const context = flags.includes('-c') ? [] : ['-c', '8192']
    return { program: engine, flags: [...usual, ...context, ...flags], asked }
  }
}

/** A process that lives on with 30 GiB of each of these GPUs, as a server that was left behind does. */
async function holder({ home, others: all }: Site, gpus: readonly number[]): Promise<void> {
  const pid = await all.start({ file: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'], env: {} }, [])
  for (const gpu of gpus) await hold(home, { pid, gpu, gib: 30 })
}

/** After a sound sentence its likeliest way is back: greedy decoding never leaves, sampling soon does. */
function greedyModel(): Buffer {
  const [back, ...away] = [' Hello', ' See', ' Bye', ' Ciao', ' Ahoy', ' Hey']
  const steps = [
    ...path('\n', THINK_END, '\n\n', 'Good', ' morning', '.', back ?? '', ' again', ', dear', ' friend', '!'),
    { from: '!', to: back ?? '', share: 1 },
    ...away.map((to) => ({ from: '!', to, share: 0.95 })),
    ...away.flatMap((from) => path(from, `${from} you`, `${from} soon`, END)),
  ]
  return chainModel('greedy', steps)
}
