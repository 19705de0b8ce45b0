import type { Policy } from '../authorise.ts'
import { allowedHere } from '../authorise.ts'
import type { Place } from '../domain/ask.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'

export type Choice = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly answer: Report }

interface Wanted {
  /** given by --target */
  readonly named: string | null
  /** the thread's own */
  readonly thread: string | null
  readonly place: Place
  readonly targets: readonly Target[]
  readonly policy: Policy
  /** the same command line with a target named, for the picker */
  lineFor(target: string): string
}

/** Targets that a picker offers; Slack takes 25 buttons in a row of actions. */
const PICKED = 20

/** named → the thread's → the channel's → the only one → a picker. Never a guess. */
export function chooseTarget(wanted: Wanted): Choice {
  const here = wanted.targets.filter((one) => allowedHere(wanted.place.channel, one.name, wanted.policy))
  const named = wanted.named ?? wanted.thread
  if (named !== null) return byName(named, here)
  const usual = wanted.policy.channels.find((one) => one.id === wanted.place.channel)?.target ?? null
  if (usual !== null) return byName(usual, here)
  const [only, another] = here
  if (only === undefined) {
    return {
      ok: false,
      answer: refusal(wanted.place.channel === 'terminal' ? NOTHING_SET : NONE_HERE, 'usage'),
    }
  }
  return another === undefined ? { ok: true, target: only } : { ok: false, answer: picker(here, wanted) }
}

const NONE_HERE = 'No target may be used here. Whoever runs Pilotflame adds one to pilotflame.yml under targets.'
const NOTHING_SET =
  'There is no target: no pilotflame.yml here. Next: name a server with --url http://127.0.0.1:30000, or begin with the example: cp pilotflame.example.yml pilotflame.yml. npm start shows Pilotflame at work without either.'

function byName(name: string, here: readonly Target[]): Choice {
  const target = here.find((one) => one.name === name)
  if (target !== undefined) return { ok: true, target }
  const rest = here.length === 0 ? 'no target may be used here' : `here are ${names(here)}`
  return { ok: false, answer: refusal(`There is no target “${name}” here; ${rest}.`, 'usage') }
}

function picker(here: readonly Target[], wanted: Wanted): Report {
  return report({
    tone: 'neutral',
    status: 'needs-clarification',
    title: 'Which target?',
    sections: [
      {
        kind: 'text',
        title: 'Targets',
        body: `Nobody named one, and this place has no usual one. Press one, or add --target NAME: ${names(here)}.`,
        folded: false,
      },
    ],
    actions: here.slice(0, PICKED).map(({ name }) => {
      return { label: name, line: wanted.lineFor(name), style: 'plain', holdsPrompt: true }
    }),
  })
}

function names(here: readonly Target[]): string {
  const shown = here.slice(0, PICKED).map((one) => one.name)
  return here.length > PICKED ? `${shown.join(', ')} and ${here.length - PICKED} more` : shown.join(', ')
}
