import { basename, dirname, join } from 'node:path/posix'
import type { Import } from './source.ts'

/** What a layer may import besides the domain and its own files. A layer is the first name below src. */
interface Layer {
  readonly layers: readonly string[]
  readonly libraries: readonly string[]
  /** whether it may use Node's own modules */
  readonly node: boolean
}

const pure: Layer = { layers: [], libraries: [], node: false }
const withJudge: Layer = { ...pure, layers: ['judge'] }
const withKnowledge: Layer = { ...pure, layers: ['knowledge'] }
const anything = [
  'adapters',
  'authorise',
  'commands',
  'config',
  'demo',
  'dispatch',
  'engines',
  'judge',
  'knowledge',
  'parse',
  'surfaces',
  'telemetry',
]

/** The whole table. `config` is config.ts and config/, and so on. Where a library has a home, `HOMES` says more. */
const LAYERS: Readonly<Record<string, Layer>> = {
  domain: pure,
  judge: withKnowledge,
  // facts as data; of judge it wants the order of versions
  knowledge: withJudge,
  engines: { ...withJudge, libraries: ['zod'] },
  telemetry: { ...withJudge, libraries: ['zod'] },
  commands: { layers: ['judge', 'knowledge', 'gather'], libraries: ['zod'], node: false },
  adapters: { layers: [], libraries: ['ssh2', 'undici', 'eventsource-parser', 'bottleneck', 'pino'], node: true },
  surfaces: { layers: [], libraries: ['zod', '@slack/bolt', '@slack/types', '@slack/web-api'], node: true },
  parse: withJudge,
  authorise: withJudge,
  gather: withJudge,
  dispatch: { ...pure, layers: ['parse', 'authorise'] },
  config: { layers: ['engines', 'judge', 'knowledge'], libraries: ['zod', 'yaml', 'ssh-config'], node: true },
  lab: { layers: [], libraries: ['ssh2', 'ws'], node: true },
  app: { layers: anything, libraries: [], node: true },
  main: { layers: [...anything, 'app'], libraries: [], node: true },
  // the wiring of the lab: app's like, and a file of its own so that nothing of the lab is loaded in production
  demo: { layers: [...anything, 'app', 'lab'], libraries: [], node: true },
}

/** The only files that may import a library, so that it can be exchanged there. */
const HOMES: Readonly<Record<string, RegExp>> = {
  ssh2: /^(?:adapters\/ssh[\w-]*|lab\/box)\.ts$/,
  undici: /^adapters\/http[\w-]*\.ts$/,
  'eventsource-parser': /^adapters\/http[\w-]*\.ts$/,
  bottleneck: /^adapters\/limiter\.ts$/,
  'node:sqlite': /^adapters\/store-[\w-]+\.ts$/,
  pino: /^adapters\/log\.ts$/,
  ws: /^lab\/slack\//,
  '@slack/bolt': /^surfaces\/slack\//,
  '@slack/types': /^surfaces\/slack\//,
  '@slack/web-api': /^surfaces\/slack\//,
}

/** Why a file below src may not import what it imports; null where it may. Paths are relative to src. */
export function forbidden(file: string, wanted: Import): string | null {
  const layer = LAYERS[layerOf(file)]
  if (layer === undefined) return `${layerOf(file)} is no layer of test/architecture/import-rules.ts`
  if (!wanted.from.startsWith('.')) return forbiddenLibrary(file, layer, wanted.from)
  const target = join(dirname(file), wanted.from)
  if (target === '../package.json') return null
  return forbiddenFile(file, layer, target) ?? forbiddenNow(file, target, wanted)
}

function forbiddenLibrary(file: string, layer: Layer, name: string): string | null {
  if (HOMES[name]?.test(file) === false) return `only ${HOMES[name].source} may`
  if (name.startsWith('node:')) return layer.node ? null : `${layerOf(file)} may not use Node's modules`
  return layer.libraries.includes(name)
    ? null
    : `${layerOf(file)} may import ${layer.libraries.join(', ') || 'no package'}`
}

function forbiddenFile(file: string, layer: Layer, target: string): string | null {
  const from = layerOf(file)
  const to = layerOf(target)
  if (to === 'domain') return null
  if (to !== from) return layer.layers.includes(to) ? null : `${from} may not know ${to}`
  if (from === 'surfaces' && surfaceOf(file) !== surfaceOf(target)) return 'a surface may not know another'
  if (from === 'adapters' && library(file) && library(target) && library(file) !== library(target)) {
    return 'an adapter may not know another library’s'
  }
  return null
}

/** demo.ts brings the lab with it: it is loaded when it is wanted, not before. */
function forbiddenNow(file: string, target: string, wanted: Import): string | null {
  return target === 'demo.ts' && file !== 'demo.ts' && !wanted.later ? 'the demo is imported on first use only' : null
}

function layerOf(path: string): string {
  return basename(path.split('/')[0] ?? '', '.ts')
}

function surfaceOf(path: string): string | undefined {
  return path.split('/')[1]
}

/** The library that an adapter file stands for, by the first word of its name; null for what several share. */
function library(path: string): string | null {
  const [word = ''] = basename(path, '.ts').split('-')
  return ['ssh', 'http', 'store', 'limiter', 'log'].includes(word) ? word : null
}
