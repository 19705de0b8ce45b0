import { existsSync, readFileSync } from 'node:fs'

/** The gate as it is sent to hosts that have none installed. Built, it lies beside us; otherwise where people find it. */
export function gateScript(): string {
  const built = new URL('./pilotflame-gate', import.meta.url)
  const source = new URL('../../deploy/host/pilotflame-gate', import.meta.url)
  return readFileSync(existsSync(built) ? built : source, 'utf8')
}
