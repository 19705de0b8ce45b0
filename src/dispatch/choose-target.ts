import type { Policy } from '../authorise.ts'
import { allowedHere } from '../authorise.ts'
import type { Place } from '../domain/ask.ts'
import { nearest } from '../domain/nearest.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { Usual } from '../domain/usual.ts'

export type Choice = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly answer: Report }

interface Wanted {
  /** given by --target, else the thread's own */
  readonly named: string | null
  /** what is meant in the channel where nobody names one */
  readonly usual: Usual | null
  readonly place: Place
  readonly targets: readonly Target[]
  readonly policy: Policy
  /** the same command line with a target named, for the picker */
  lineFor(target: string): string
  /** a command line as people type it here */
  typed(line: string): string
}

/** Targets that a picker offers; Slack takes 25 buttons in a row of actions. */
const PICKED = 20

/** named → the thread's → the channel's → the only one → a picker. Never a guess, also where a name leads nowhere now. */
export function chooseTarget(wanted: Wanted): Choice {
  const here = wanted.targets.filter((one) => allowedHere(wanted.place.channel, one.name, wanted.policy))
  if (wanted.named !== null) return byName(wanted.named, here)
  if (wanted.usual !== null) return byUse(wanted.usual, here, wanted)
  if (here.length > 0) return { ok: false, answer: picker(here, wanted) }
  return { ok: false, answer: refusal(wanted.place.channel === 'terminal' ? NOTHING_SET : NONE_HERE, 'usage') }
}

const NONE_HERE = 'No target may be used here. Whoever runs Pilotflame adds one to pilotflame.yml under targets.'
const NOTHING_SET =
  'There is no target: no pilotflame.yml here. Next: name a server with --url http://127.0.0.1:30000, or begin with the example: cp pilotflame.example.yml pilotflame.yml. npm start shows Pilotflame at work without either.'

function byName(name: string, here: readonly Target[]): Choice {
  const target = here.find((one) => one.name === name)
  if (target !== undefined) return { ok: true, target }
  const rest = here.length === 0 ? 'no target may be used here' : `here are ${names(here)}`
  const meant = nearest(
    name,
    here.map((one) => one.name),
    2,
  )
  const next = meant === null ? '' : ` Next: did you mean ${meant}?`
  return { ok: false, answer: refusal(`There is no target “${name}” here; ${rest}.${next}`, 'usage') }
}

/** What was said in the channel stands until somebody says otherwise; another target is not taken in its place. */
function byUse({ target, from }: Usual, here: readonly Target[], { typed }: Pick<Wanted, 'typed'>): Choice {
  const choice = byName(target, here)
  if (choice.ok || from !== 'use') return choice
  const why = `“${target}” is meant in this channel since somebody said so, and it may not be used here any more`
  const next =
    here.length === 0 ? typed('sglang use --clear') : `${typed('sglang use NAME')}, with one of ${names(here)}`
  return { ok: false, answer: refusal(`${why}. Next: ${next}`, 'usage') }
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
