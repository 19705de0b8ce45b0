import type { Gpu, GpuProcess } from '../../domain/gpu.ts'
import type { Target } from '../../domain/target.ts'
import type { HostCards } from '../../domain/telemetry.ts'

/** Who lives on a card, as far as the host tells. Empty: nobody is seen there. */
export interface Living {
  /** targets whose own unit has a process there */
  readonly surely: readonly string[]
  /** targets of the host of which one may be it: a process is there whose unit nobody knows */
  readonly perhaps: readonly string[]
  /** whoever is certainly no target that may be used here: `python of ben`, `another unit` */
  readonly strangers: readonly string[]
}

/** By process → control group → unit → its alias on the host → target; what that does not tell is left in doubt. */
export function livingOn(read: HostCards, targets: readonly Target[]): (card: Gpu) => Living {
  const tenants = (read.processes ?? []).map((process) => ({ process, tenant: tenantOf(process, read, targets) }))
  const settled = new Set(tenants.flatMap(({ tenant }) => (tenant.kind === 'targets' ? tenant.names : [])))
  const unsettled = targets.map(({ name }) => name).filter((name) => !settled.has(name))
  const isAlone = read.gpus.cards.length === 1
  return (card) => {
    const here = tenants.filter(({ process }) => isOn(process, card, isAlone)).map(({ tenant }) => tenant)
    const isDoubtful = here.some(({ kind }) => kind === 'unknown') || (here.length === 0 && holdsMemory(card))
    return {
      surely: distinct(here.flatMap((one) => (one.kind === 'targets' ? one.names : []))),
      perhaps: isDoubtful ? unsettled : [],
      strangers: distinct([
        ...here.flatMap((one) => (one.kind === 'stranger' ? one.said : [])),
        ...(unsettled.length > 0 ? [] : here.flatMap((one) => (one.kind === 'unknown' ? one.said : []))),
      ]),
    }
  }
}

/** From so many MiB on somebody uses a card; less is the driver's own. */
export const IN_USE_MIB = 1024

function holdsMemory({ memoryUsedMiB }: Gpu): boolean {
  return (memoryUsedMiB ?? 0) >= IN_USE_MIB
}

/** A tool that does not tell the card of a process leaves no doubt where there is but one. */
function isOn({ gpuUuid }: GpuProcess, { uuid }: Gpu, isAlone: boolean): boolean {
  return gpuUuid === null ? isAlone : gpuUuid === uuid
}

type Tenant =
  | { readonly kind: 'targets'; readonly names: readonly string[] }
  | { readonly kind: 'stranger' | 'unknown'; readonly said: string }

function tenantOf(process: GpuProcess, { units }: HostCards, targets: readonly Target[]): Tenant {
  const group = process.facts?.cgroup ?? null
  const groups = new Set((group ?? '').split('/'))
  const alias = Object.entries(units).find(([, unit]) => groups.has(unit))?.[0]
  if (alias !== undefined) {
    const names = targets.filter(({ unit }) => unit === alias).map(({ name }) => name)
    // whose name may not be told here
    return names.length > 0 ? { kind: 'targets', names } : { kind: 'stranger', said: 'another unit' }
  }
  const said = saidOf(process)
  return group?.startsWith('/user.slice/') === true ? { kind: 'stranger', said } : { kind: 'unknown', said }
}

/** `python of ben`, `pid 4711` */
function saidOf({ pid, name, facts }: GpuProcess): string {
  const program = facts?.comm ?? name?.split(' ')[0]?.split('/').at(-1) ?? ''
  const what = program === '' ? `pid ${pid}` : program
  return facts === null ? what : `${what} of ${facts.owner}`
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
