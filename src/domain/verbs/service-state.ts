import type { GateSection } from '../gate.ts'

/** A service of the driver, as systemd tells it. */
export interface ServiceState {
  /** `nvidia-fabricmanager.service` */
  readonly name: string
  /** `loaded`, `not-found`, `masked` */
  readonly loadState: string
  /** `active`, `inactive`, `failed`, … */
  readonly activeState: string
}

/** Reads what `systemctl show` printed of several units, with a blank line between; null where systemd does not answer. */
export function servicesIn(section: GateSection | null): readonly ServiceState[] | null {
  if (section === null || section.rc !== 0) return null
  const services = section.text.split(/\n[ \t]*\n/, MOST).flatMap((block) => readService(block) ?? [])
  return services.length === 0 ? null : services
}

const MOST = 20

function readService(block: string): ServiceState | null {
  const values = new Map(block.split('\n').map((line) => pair(line)))
  const [name, loadState, activeState] = ['Id', 'LoadState', 'ActiveState'].map((key) => values.get(key))
  if (name === undefined || loadState === undefined || activeState === undefined) return null
  return { name, loadState, activeState }
}

function pair(line: string): readonly [name: string, value: string] {
  const at = line.indexOf('=')
  return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]
}
