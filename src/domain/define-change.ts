import type { Changed, ChangeTools, Command, Flag, Spec, TargetTools } from './command.ts'
import { defineWork } from './command.ts'
import type { Plan, Planned } from './plan.ts'
import { refusal } from './report.ts'

type ChangeSpec<Args> = Omit<Spec<Args>, 'needsTarget' | 'where' | 'needsMention' | 'access'> & {
  plan(args: Args, tools: TargetTools): Promise<Planned>
  act(args: Args, plan: Plan, tools: TargetTools & ChangeTools): Promise<Changed>
}

/**
 * A command that changes the world. Its plan is shown, confirmed by a press, made again and compared; dispatch reads its
 * terms, locks, records and counts around `act`. In a terminal nobody else would see it, so it is asked for in a chat.
 */
export function defineChange<Args>({ plan, act, flags = [], ...spec }: ChangeSpec<Args>): Command {
  const lost = refusal(`${spec.word} needs a target, and none was chosen.`, 'failed')
  const all = { ...spec, access: 'operate', flags: [...flags, TARGET, ...TERMS], needsTarget: true } as const
  return defineWork({ ...all, where: 'chat', needsMention: true }, (args) => ({
    kind: 'change',
    plan: async (tools) =>
      tools.target === null ? { ok: false, answer: lost } : plan(args, { ...tools, target: tools.target }),
    act: async (seen, tools) =>
      tools.target === null ? { state: 'failed', report: lost } : act(args, seen, { ...tools, target: tools.target }),
  }))
}

const TARGET: Flag = { name: 'target', kind: 'name', value: 'NAME', help: 'the model server' }

/** The flags that dispatch reads for every change (`Terms`). */
const TERMS: readonly Flag[] = [
  { name: 'reason', kind: 'text', value: '"TEXT"', help: 'why; shown, and kept in the records' },
  {
    name: 'force',
    kind: 'switch',
    value: '',
    help: 'go on after three of them in 15 minutes; needs a reason',
  },
  {
    name: 'break-glass',
    kind: 'text',
    value: '"REASON"',
    help: 'go on without the second person, who was asked 5 to 30 minutes ago and did not answer',
  },
]
