import type { GateText } from './box-changes.ts'
import { START_LINES } from './box-log.ts'
import type { Machine } from './box-machine.ts'
import type { Card } from './cards.ts'
import { cardRow, processLine } from './cards.ts'
import { hostHealth } from './field-story/health.ts'
import { MODEL_PATH } from './field-story/setting.ts'
import { MODEL_FILES, SYSTEM } from './field-story/tools.ts'

/** A unit with a model server, and the version of SGLang in it. */
interface Installed {
  readonly name: string
  readonly version: string
}

/** A box with two healthy cards. Each of its servers has half of a model on each as long as it runs; other units have no GPU. */
export function twoCards(servers: readonly Installed[]): Machine {
  const running = new Map<string, number>()
  return {
    host: 'gpu-box-1',
    started(unit, pid) {
      if (servers.some(({ name }) => name === unit)) running.set(unit, pid)
      return null
    },
    stopped: (unit) => void running.delete(unit),
    log: () => START_LINES,
    read(verb, words) {
      const sections = hostRead(verb, [...running]) ?? unitRead(verb, words, servers, [...running])
      return sections === null ? null : { rc: 0, sections }
    },
  }
}

type Running = readonly (readonly [unit: string, pid: number])[]

function hostRead(verb: string, running: Running): readonly GateText[] | null {
  switch (verb) {
    case 'gpu':
      return [['gpu', rows(running)]]
    case 'cards':
      return [['cards', rows(running)], ...holders(running)]
    case 'gpu-processes':
      return holders(running)
    case 'pci':
      return [['pci', CARDS.map(({ slot }) => `${slot} 0x10de 0x2230 0x030000 nvidia`).join('\n')]]
    case 'dmesg-gpu':
      return [['dmesg', '']]
    case 'host-health':
      return hostHealth(running.length > 0)
  }
  return null
}

function unitRead(
  verb: string,
  [word = '']: readonly string[],
  servers: readonly Installed[],
  running: Running,
): readonly GateText[] | null {
  switch (verb) {
    case 'process':
      return [
        ['processes', running.flatMap(([unit, pid]) => (String(pid) === word ? launcher(unit, pid) : [])).join('\n')],
      ]
    case 'versions': {
      const { version } = servers.find(({ name }) => name === word) ?? {}
      return [['packages', version === undefined ? '' : `sglang-${version}.dist-info`], ...SYSTEM]
    }
    case 'model-files':
      return MODEL_FILES
  }
  return null
}

const LAUNCH = ['python3', '-m', 'sglang.launch_server', '--model-path', MODEL_PATH, '--tp-size', '2']

function launcher(unit: string, pid: number): string {
  return processLine({ pid, parent: 1, unit, comm: 'python3', argv: [...LAUNCH, '--reasoning-parser', 'qwen3'] })
}

const CARDS: readonly Card[] = [
  { index: 0, uuid: 'GPU-7d21b9e4-05fa-4c36-8e9d-f3a1607cb248', slot: '0000:41:00.0' },
  { index: 1, uuid: 'GPU-c85f3017-9b6e-42d1-a7c0-5e18d94f2b63', slot: '0000:61:00.0' },
]

/** What half of a model takes on its card: four of them fit. */
const HALF_MIB = 10_752

function rows(running: Running): string {
  const usedMib = 4 + running.length * (HALF_MIB + 8)
  const reading =
    running.length > 0
      ? { usedMib, use: 0, celsius: 41, watts: 71.24, state: 'P2' }
      : { usedMib, use: 0, celsius: 34, watts: 22.1, state: 'P8' }
  return CARDS.map((card) => cardRow(card, reading)).join('\n')
}

function holders(running: Running): readonly GateText[] {
  const halves = running.flatMap(([unit, pid]) => CARDS.map((card) => halfOf(unit, pid, card)))
  return [
    ['apps', halves.map(({ row }) => row).join('\n')],
    ['processes', halves.map(({ line }) => line).join('\n')],
  ]
}

/** A row of nvidia-smi and the line of the process. */
function halfOf(unit: string, server: number, { index, uuid }: Card): { row: string; line: string } {
  const pid = server + 4 + index
  const name = `sglang::scheduler_TP${index}`
  const line = processLine({ pid, parent: server + 1, unit, comm: 'sglang::schedul', argv: [name] })
  return { row: `${uuid}, ${pid}, ${name}, ${HALF_MIB}`, line }
}
