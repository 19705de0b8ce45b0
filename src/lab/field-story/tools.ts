import type { GateAnswer, GateText } from '../box-changes.ts'
import type { Card } from '../cards.ts'
import { cardRow, processLine } from '../cards.ts'
import { hostHealth } from './health.ts'
import type { Server } from './machine.ts'
import type { Setting } from './setting.ts'
import { MODEL_PATH, PORT } from './setting.ts'

interface Seen {
  readonly setting: Setting
  readonly server: Server | null
}

/** What the tools of the field story's box print, in the sections of the gate; null where it has no such tool. */
export function toolAnswer(verb: string, words: readonly string[], seen: Seen): GateAnswer | null {
  const sections = sectionsOf(verb, words, seen)
  return sections === null ? null : { rc: 0, sections }
}

function sectionsOf(
  verb: string,
  [word = '']: readonly string[],
  { setting, server }: Seen,
): readonly GateText[] | null {
  switch (verb) {
    case 'gpu':
      return [['gpu', gpuRows(server)]]
    case 'host-health':
      return hostHealth(server?.works === true)
    case 'cards':
      return [['cards', gpuRows(server)], ...holders(server)]
    case 'gpu-processes':
      return holders(server)
    case 'dmesg-gpu':
      return [['dmesg', '']]
    case 'pci':
      return [['pci', GPUS.map(({ slot }) => `${slot} 0x10de 0x2230 0x030000 nvidia`).join('\n')]]
    case 'listeners':
      return [['listeners', server === null ? '' : listener(server)]]
    case 'process':
      return [['processes', server !== null && Number(word) === server.pid ? wrapper(server) : '']]
    case 'versions':
      return versions(setting)
    case 'model-files':
      return MODEL_FILES
  }
  return null
}

const GPUS: readonly Card[] = [
  { index: 0, uuid: 'GPU-3f0c1a52-6a1e-4f0b-9b1d-2c7f5a40e6d1', slot: '0000:41:00.0' },
  { index: 1, uuid: 'GPU-b94e77d0-18c3-4f86-8f0a-71d2c6e9b35f', slot: '0000:61:00.0' },
]

const LOADED = { usedMib: 43_642, use: 0, celsius: 41, watts: 71.24, state: 'P2' } as const
const EMPTY = { usedMib: 4, use: 0, celsius: 34, watts: 22.08, state: 'P8' } as const

function gpuRows(server: Server | null): string {
  return GPUS.map((gpu) => cardRow(gpu, server?.works === true ? LOADED : EMPTY)).join('\n')
}

function holders(server: Server | null): readonly GateText[] {
  const rows = schedulers(server)
  return [
    ['apps', rows.map(([row]) => row).join('\n')],
    ['processes', rows.map(([, line]) => line).join('\n')],
  ]
}

/** A row of nvidia-smi and the line of the process, for each GPU. */
function schedulers(server: Server | null): readonly (readonly [row: string, line: string])[] {
  if (server?.works !== true) return []
  return GPUS.map(({ index, uuid }) => {
    const pid = server.pid + 4 + index
    const name = `sglang::scheduler_TP${index}`
    return [`${uuid}, ${pid}, ${name}, 43630`, processOf(pid, server.pid + 1, 'sglang::schedul', [name])]
  })
}

const listener = ({ pid }: Server) =>
  `LISTEN 0 2048 127.0.0.1:${PORT} 0.0.0.0:* users:(("python3",pid=${pid + 1},fd=53))`

const wrapper = ({ pid }: Server) => processOf(pid, 1, 'serve.sh', ['/bin/bash', '/srv/field/serve.sh'])

function processOf(pid: number, parent: number, comm: string, argv: readonly string[]): string {
  return processLine({ pid, parent, unit: 'field', comm, argv })
}

function versions({ version }: Setting): readonly GateText[] {
  return [['packages', PACKAGES[version].map((name) => `${name}.dist-info`).join('\n')], ...SYSTEM]
}

/** The driver and the system of the demo's boxes. */
export const SYSTEM: readonly GateText[] = [
  [
    'driver',
    'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (dvs-builder@U22-I3-AE18-23-3)',
  ],
  ['os', 'PRETTY_NAME=Ubuntu 24.04 LTS (demo)\nkernel=6.8.12-8-pve'],
]

/** What each version pins (sglang.md 4.3). */
const PACKAGES: Readonly<Record<Setting['version'], readonly string[]>> = {
  '0.5.9': ['flashinfer_python-0.6.3', 'sgl_kernel-0.3.21', 'sglang-0.5.9', 'torch-2.9.1', 'transformers-4.57.1'],
  '0.5.11': ['flashinfer_python-0.6.8.post1', 'sglang-0.5.11', 'torch-2.11.0', 'transformers-5.6.0'],
}

const SHARDS = 15

/** The files of the model that the demo's servers load. */
export const MODEL_FILES: readonly GateText[] = [
  ['place', `units ${MODEL_PATH}`],
  [
    'list',
    [
      ...['3418 config.json', '244 generation_config.json', '87412 model.safetensors.index.json', '41230 README.md'],
      ...['12807982 tokenizer.json', '16734 tokenizer_config.json', '7756 chat_template.jinja'],
      ...Array.from({ length: SHARDS }, (_, at) => `3720000000 model-${five(at + 1)}-of-${five(SHARDS)}.safetensors`),
    ].join('\n'),
  ],
  [
    'config.json',
    JSON.stringify({
      architectures: ['Qwen3_5ForConditionalGeneration'],
      model_type: 'qwen3_5',
      text_config: { max_position_embeddings: 262_144, num_attention_heads: 24, num_key_value_heads: 4 },
    }),
  ],
  [
    'generation_config.json',
    JSON.stringify({ eos_token_id: [248_046, 248_044], temperature: 1, top_p: 0.95, top_k: 20 }),
  ],
  ['index', '{"metadata":{"total_size":55800000000},"weight_map":{'],
  ['card', 'SGLang: sglang>=0.5.10 is recommended\nWe recommend temperature=1.0, top_p=0.95, top_k=20'],
]

function five(number: number): string {
  return String(number).padStart(5, '0')
}
