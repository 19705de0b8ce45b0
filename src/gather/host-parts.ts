import type { Failure } from '../domain/failure.ts'
import type { GpuEvidence } from '../domain/gpu.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { counted } from '../domain/report.ts'
import { dmesgGpu } from '../domain/verbs/dmesg-gpu.ts'
import { gpu } from '../domain/verbs/gpu.ts'
import { gpuProcesses } from '../domain/verbs/gpu-processes.ts'
import { pci } from '../domain/verbs/pci.ts'
import { cleanProcess } from './clean.ts'
import type { Found, Part } from './part.ts'
import type { OnHost } from './unit-parts.ts'

type OnGpus = Pick<OnHost, 'host' | 'redact' | 'startedMs'> & { now(): Promise<number | null> }

/** The machine: its GPUs, who holds them, the kernel's word about them. */
export function hostParts(on: OnGpus): readonly Part[] {
  return [
    { name: 'GPUs', limitMs: 8000, look: (signal) => gpuPart(on, signal) },
    { name: 'GPU processes', limitMs: 8000, look: (signal) => holders(on, signal) },
    { name: 'kernel log', limitMs: 8000, look: (signal) => kernelPart(on, signal) },
    { name: 'PCI cards', limitMs: 8000, look: (signal) => pciPart(on, signal) },
  ]
}

async function gpuPart({ host, redact }: OnGpus, signal: AbortSignal): Promise<Outcome<Found>> {
  const ran = await host.run(gpu, {}, { signal })
  if (!ran.ok) return complaint(ran.failure, redact)
  const { gpus, notes } = ran.value.value
  const evidence = { ...READ, cards: gpus, notes: notes.slice(0, MOST_NOTES).map(redact) }
  return ok({ evidence: { gpus: evidence }, note: String(gpus.length) })
}

const READ = { tool: 'nvidia-smi', rc: 0, timedOut: false, place: 'host' } as const satisfies Partial<GpuEvidence>
const MOST_NOTES = 50

/** What the tool says against its driver is evidence, and no gap. A host without the tool tells nothing. */
function complaint(failure: Failure, redact: (text: string) => string): Outcome<Found> {
  const [, rc, said] = /^it ended with (\d{1,3}): ([\s\S]+)$/.exec(failure.observed) ?? []
  if (failure.kind !== 'exit' || said === undefined) return failed(failure)
  const gpus: GpuEvidence = { ...READ, cards: [], notes: [redact(said)], rc: Number(rc) }
  return ok({ evidence: { gpus }, note: 'nvidia-smi failed' })
}

async function holders({ host, redact }: OnGpus, signal: AbortSignal): Promise<Outcome<Found>> {
  const ran = await host.run(gpuProcesses, {}, { signal })
  if (!ran.ok) return failed(ran.failure)
  const { processes } = ran.value.value
  const clean = processes.map((one) => cleanProcess(one, redact))
  return ok({ evidence: { gpuProcesses: clean }, note: String(clean.length) })
}

async function kernelPart(on: OnGpus, signal: AbortSignal): Promise<Outcome<Found>> {
  const [ran, startedMs, now] = await Promise.all([on.host.run(dmesgGpu, {}, { signal }), on.startedMs(), on.now()])
  if (!ran.ok) return failed(ran.failure)
  const since = startedMs ?? (now === null ? null : now - RECENT_MS)
  if (since === null) return failed(OLD)
  // what befell an earlier run is no evidence against this one
  const recent = ran.value.value.lines.filter(({ at }) => at !== null && at >= since)
  const kernel = recent.map(({ text }) => on.redact(text)).slice(-MOST_KERNEL)
  const span = startedMs === null ? 'of the last hour' : 'since this run began'
  return ok({ evidence: { kernel }, note: `${counted(kernel.length, 'line')} ${span}` })
}

/** where nobody knows when the run began */
const RECENT_MS = 3_600_000
const MOST_KERNEL = 200
const OLD: Failure = {
  kind: 'not-there',
  thing: 'kernel log',
  observed: 'the host does not tell its time, so that its age is not known',
  next: 'nothing',
}

async function pciPart({ host }: OnGpus, signal: AbortSignal): Promise<Outcome<Found>> {
  const ran = await host.run(pci, {}, { signal })
  if (!ran.ok) return failed(ran.failure)
  return ok({ evidence: { pci: ran.value.value.cards }, note: String(ran.value.value.cards.length) })
}
