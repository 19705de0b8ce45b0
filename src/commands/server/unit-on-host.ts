import type { TargetTools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Host } from '../../domain/host.ts'
import type { Report } from '../../domain/report.ts'
import { refusal, report } from '../../domain/report.ts'
import type { Fence } from '../../domain/unit.ts'
import type { UnitReading } from '../../domain/verbs/unit.ts'
import { unit } from '../../domain/verbs/unit.ts'

/** The unit behind a target as its host sees it, with the fence that a change of it needs; or why none can be made. */
export type UnitOnHost =
  | {
      readonly ok: true
      readonly host: Host
      readonly unit: string
      readonly reading: UnitReading
      readonly fence: Fence
    }
  | { readonly ok: false; readonly answer: Report }

export async function unitOnHost({ target, host: hostNamed, signal }: TargetTools): Promise<UnitOnHost> {
  if (target.host === null || target.unit === null) return no(notSaid(target.name, target.host))
  const host = hostNamed(target.host)
  if (host === null) return no(refusal(`There is no host ${target.host} in pilotflame.yml.`, 'failed'))
  const ran = await host.run(unit, { unit: target.unit }, { signal })
  if (!ran.ok) return no(refusal(`Not planned: ${sentence(ran.failure)}`, 'failed'))
  const reading = ran.value.value
  const { state, fence } = reading
  if (state.loadState !== 'loaded') {
    const words = `Not planned: systemd on ${host.name} says that ${state.id} is ${state.loadState}. Next: see systemctl status ${state.id} there.`
    return no(refusal(words, 'failed'))
  }
  if (fence === null) {
    const words = `Not planned: ${host.name} keeps no record of changes, so none can be made there safely. Next: run deploy/host/setup there again.`
    return no(refusal(words, 'failed'))
  }
  return { ok: true, host, unit: target.unit, reading, fence }
}

function no(answer: Report): UnitOnHost {
  return { ok: false, answer }
}

/** Names the lines that are missing. */
function notSaid(target: string, host: string | null): Report {
  const missing = host === null ? 'host and unit' : 'unit'
  return report({
    tone: 'warning',
    status: 'refused',
    title: `Not planned: pilotflame.yml does not say how ${target} is run (${missing}).`,
    summary: 'Next: add the lines below, and restart Pilotflame.',
    sections: [{ kind: 'code', title: 'In pilotflame.yml', body: lines(target, host), folded: false }],
  })
}

function lines(target: string, host: string | null): string {
  return [
    'targets:',
    `  ${target}:`,
    host === null ? '    host: NAME        # one of hosts:' : `    host: ${host}`,
    '    unit: NAME        # as /etc/pilotflame/units on that host names it',
  ].join('\n')
}
