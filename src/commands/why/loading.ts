import type { TargetTools } from '../../domain/command.ts'
import type { Experiment } from '../../domain/experiment.ts'
import { sentence } from '../../domain/failure.ts'
import type { Report } from '../../domain/report.ts'
import { counted, refusal } from '../../domain/report.ts'

/**
 * Why an experiment that loads the server may not run now; null: it may. What it asks for is an operator and an empty queue.
 * `unseen`: the operator wants it although nobody can tell how many wait; a queue that is seen refuses it all the same.
 */
export async function refusedLoad(
  { title, name }: Experiment,
  unseen: boolean,
  tools: TargetTools,
): Promise<Report | null> {
  const { ask, who, target, signal } = tools
  const decision = await who.may(ask, 'operate')
  if (!decision.ok) return refusal(`${title} loads ${target.name}, so it takes an operator: ${decision.reason}.`)
  const reached = await tools.reach(target, signal)
  if (!reached.ok) return refusal(sentence(reached.failure), 'failed')
  const { engine, api } = reached.value
  const load = await engine.load(api, signal)
  const waiting = load.ok ? load.value.waiting : null
  if (waiting === 0 || (waiting === null && unseen)) return null
  if (waiting === null) {
    const why = load.ok ? `${target.name} does not tell it` : sentence(load.failure)
    return refusal(
      `Not run: how many wait is not known, and ${name} would make them wait longer. ${why.replace(/\.$/, '')}. Next: look who uses ${target.name}; if nobody does, smoke why --only ${name} --queue-unseen.`,
    )
  }
  const wait = waiting === 1 ? 'waits' : 'wait'
  return refusal(
    `Not run: ${counted(waiting, 'request')} ${wait} on ${target.name}, and ${name} would make them wait longer. Next: try again when none waits.`,
  )
}
