import type { Evidence } from '../../domain/finding.ts'
import type { Gpu, GpuEvidence } from '../../domain/gpu.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { readToolRun } from '../../judge/gpu/tool-run.ts'
import { rules } from '../../judge/rules/index.ts'
import type { Judged } from './document.ts'
import { gpuUsersSaid } from './gpu-users.ts'
import { healthSaid } from './health-said.ts'
import type { Fields } from './record.ts'
import { flat, numberOf, recordOf, textOf } from './record.ts'
import { unitSaid } from './unit-said.ts'

/** Kind C: nvidia-smi and its relatives: `{command, stdout, stderr, exit_code, …}`, and what is known besides. */
export function toolDocument(input: unknown): Judged {
  const fields = recordOf(input)
  if (fields === null) return { ok: false, problem: '"input" is no object' }
  const wrong = ['command', 'stdout', 'stderr'].find(
    (name) => fields[name] != null && textOf(fields[name]) === undefined,
  )
  if (wrong !== undefined) return { ok: false, problem: `"input.${wrong}" is no text` }
  const evidence = evidenceOf(fields)
  const [finding] = diagnose(evidence, rules).findings
  return { ok: true, finding, parsed: parsedOf(evidence.gpus) }
}

function evidenceOf(fields: Fields): Evidence {
  const { command, stdout, stderr, exit_code, timed_out, dmesg, context, health, shell_ms, ...others } = fields
  const besides = { ...(recordOf(context) ?? { context }), ...others }
  const known = flat({ ...besides, dmesg: null })
  const line = textOf(command)?.slice(0, LONGEST_COMMAND) ?? ''
  const rc = numberOf(exit_code) ?? null
  const read = readToolRun({
    command: line,
    stdout: textOf(stdout) ?? '',
    stderr: textOf(stderr) ?? '',
    rc,
    timedOut: wasCut(timed_out) || rc === 124,
    place: placeOf(line, known),
  })
  const kernel = [...linesOf(dmesg ?? besides['dmesg']), ...(read.kernel ?? [])]
  const unit = unitSaid(besides)
  const users = gpuUsersSaid(besides)
  const shellMs = numberOf(shell_ms)
  return {
    target: { name: 'host', url: '', host: null },
    ...(users === null ? {} : { gpuProcesses: users }),
    ...read,
    ...(kernel.length === 0 ? {} : { kernel }),
    ...(unit === null ? {} : { unit }),
    ...healthSaid(health),
    ...(shellMs === undefined ? {} : { shellMs }),
    told: line === '' ? known : [`command: ${line}`, ...known],
  }
}

/** in characters: patterns are tried on it */
const LONGEST_COMMAND = 4096
const MOST_KERNEL = 500

function wasCut(value: unknown): boolean {
  return value === true || (numberOf(value) ?? 0) > 0
}

/** A text, or its lines. */
function linesOf(value: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return parts
    .flatMap((part) => textOf(part)?.split(/\r?\n/) ?? [])
    .filter((part) => part.trim() !== '')
    .slice(-MOST_KERNEL)
}

/** Where the tool ran: by the command line, or as far as somebody told. */
function placeOf(command: string, known: readonly string[]): GpuEvidence['place'] {
  if (INTO.test(command)) return 'container'
  const where = known.find((line) => /^(?:where|place|environment|runs_in|inside)\w*: /.test(line)) ?? ''
  if (/container|docker|podman|lxc|kubernetes|\bpod\b|guest/i.test(where)) return 'container'
  if (/host|bare.?metal|node/i.test(where)) return 'host'
  if (known.some((line) => /^(?:container|lxc|pod|image|docker)\w*: /i.test(line))) return 'container'
  // who tells of the host besides speaks of somewhere else
  return known.some((line) => /^host\w*: .*nvidia-smi/i.test(line)) ? 'container' : null
}

const INTO =
  /\b(?:(?:docker|podman|nerdctl)(?: compose)?|kubectl|oc|crictl) (?:-\S+ )*(?:exec|run)\b|\bpct exec\b|\blxc-attach\b|\b(?:lxc|incus) exec\b|\b(?:apptainer|singularity) (?:exec|run)\b|\bmachinectl shell\b|\bsrun\b.*--container/

/** One card's readings as they are, those of several as lists; null for what a card does not report. */
function parsedOf(gpus: GpuEvidence | undefined): Fields {
  const cards = gpus?.cards ?? []
  const each = <T>(value: (card: Gpu) => T): T | null | readonly T[] => {
    const [first, ...more] = cards
    if (first === undefined) return null
    return more.length === 0 ? value(first) : cards.map(value)
  }
  const none = gpus?.notes.some((note) => /No devices were found/i.test(note)) === true
  return {
    gpus: cards.length > 0 || none ? cards.length : null,
    name: each(({ name }) => name),
    memory_used: each(({ memoryUsedMiB }) => memoryUsedMiB),
    memory_total: each(({ memoryTotalMiB }) => memoryTotalMiB),
    utilization: each(({ utilization }) => utilization),
    power: each(({ powerW }) => powerW),
    fan: each(({ fan }) => fan),
  }
}
