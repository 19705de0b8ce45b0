import type { Check, CheckResult } from '../domain/check.ts'
import type { Host } from '../domain/host.ts'
import type { Target } from '../domain/target.ts'
import { log, unit } from '../domain/verbs/index.ts'
import type { UnitReading } from '../domain/verbs/unit.ts'
import { fault } from './host-checks.ts'

/** Whether the unit that a target names is there, may be changed, and shows its log. */
export function unitCheck(target: Target, alias: string, verbs: Host): Check {
  return {
    name: `target ${target.name}: unit ${alias} on ${verbs.name}`,
    about: [target.name],
    async run(signal) {
      const seen = await verbs.run(unit, { unit: alias }, { signal })
      if (!seen.ok) return fault(`host ${verbs.name}`, seen.failure)
      const lines = await verbs.run(log, { unit: alias, lines: 1 }, { signal })
      if (!lines.ok) return fault(`host ${verbs.name}`, lines.failure)
      const [note] = lines.value.value.lines.length === 0 ? lines.value.value.notes : []
      return judged(seen.value.value, note)
    },
  }
}

function judged({ state, fence }: UnitReading, note: string | undefined): CheckResult {
  const saw = `${state.id} is ${state.activeState} (${state.subState})`
  if (state.loadState !== 'loaded') return { state: 'fault', saw: `${state.id} is ${state.loadState}`, next: NAME_IT }
  if (note !== undefined) return { state: 'warning', saw: `${saw}; its log shows nothing: ${note}`, next: GROUP }
  return fence === null
    ? { state: 'warning', saw: `${saw}; no change of it can be recorded, so it will be refused`, next: GROUP }
    : { state: 'ok', saw: `${saw}, its log can be read, changes are fenced (${fence.token.split('-')[0] ?? ''})` }
}

const NAME_IT = 'correct its line in /etc/pilotflame/units on the host, or the unit itself (systemctl status)'
const GROUP =
  'run deploy/host/setup there once more: it puts the account into systemd-journal and makes the folder for records'
