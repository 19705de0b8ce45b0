import type { Report } from '../domain/report.ts'
import { counted, report } from '../domain/report.ts'
import type { Ability, Kind } from '../surfaces/slack/abilities.ts'
import { KINDS } from '../surfaces/slack/abilities.ts'
import type { AbilityCheck } from '../surfaces/slack/abilities-check.ts'

/** What `slack check` found. `kept`: what became of it, in a sentence. */
export function checkReport({ identity, tried, states }: AbilityCheck, channel: string, kept: string): Report {
  const refused = tried.filter(({ taken }) => !taken)
  const best = tried.find(({ rung, taken }) => rung && taken)?.name ?? 'none'
  const fine = refused.length === 0
  const title = fine
    ? `All ${tried.length} messages were taken.`
    : `${counted(refused.length, 'message')} of ${tried.length} ${refused.length === 1 ? 'was' : 'were'} refused.`
  return report({
    tone: fine ? 'good' : 'warning',
    status: fine ? 'done' : 'degraded',
    title,
    lead: `@${identity.botName} in ${identity.teamName} (${identity.team}), channel ${channel}`,
    facts: [
      { label: 'Answers look like', value: best },
      ...KINDS.map((kind) => ({ label: LABELS[kind], value: WORDS[states[kind]] })),
      { label: 'Kept', value: kept },
      ...(fine ? [] : [{ label: 'Next', value: NEXT }]),
    ],
    tables: [
      {
        title: 'Tried',
        columns: ['Message', 'blocks.validate', 'Posting'],
        rows: tried.map(({ name, validator, posting }) => [name, validator, posting]),
      },
    ],
    json: { status: fine ? 'done' : 'degraded', team: identity.team, channel, best, states, kept, tried },
  })
}

const LABELS: Readonly<Record<Kind, string>> = {
  container: 'Boxes',
  table: 'Tables',
  expand: 'Unfolded sections',
  blocks: 'Blocks at all',
  files: 'Files',
}

const WORDS: Readonly<Record<Ability, string>> = {
  works: 'work',
  refused: 'refused; left out, and tried again after a day',
  unknown: 'not known: taken once and refused once',
}

const NEXT =
  'nothing has to be done: the bot leaves out what is refused. See docs/guide/slack.md, What your workspace accepts'
