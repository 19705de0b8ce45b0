import { planExpiry } from '../../src/app/expired-plans.ts'
import type { PlacedPlan } from '../../src/domain/plan.ts'
import type { Report } from '../../src/domain/report.ts'
import { changeHouse } from '../dispatch/change-house.ts'

/** A house with a restart that is planned, and the pass over expired plans on its clock. */
export async function planned(given: Parameters<typeof changeHouse>[0] & { readonly since?: number } = {}) {
  const house = await changeHouse(given)
  const told: string[] = []
  const buttons: (readonly string[])[] = []
  const warned: string[] = []
  const stop = new AbortController()
  const slack = { takes: true, tell: async (): Promise<void> => {} }
  const pass = planExpiry({
    store: house.store,
    clock: { now: house.now },
    // as the process after the one that was pressed in
    since: given.since ?? Number.POSITIVE_INFINITY,
    log: { debug() {}, info() {}, warn: (message) => warned.push(message), error: (message) => warned.push(message) },
    typed: (line) => `/${line}`,
    async tell({ message }: PlacedPlan, { title, summary, lead, actions }: Report) {
      await slack.tell()
      buttons.push(actions.map(({ label, line }) => `${label}: ${line}`))
      told.push([message, title, lead, summary, actions.length].join(' | '))
      return slack.takes
    },
    signal: stop.signal,
  })
  const plan = await house.say('/sglang restart qwen --reason "new weights"')
  return { ...house, plan, pass, told, buttons, warned, stop, slack }
}
