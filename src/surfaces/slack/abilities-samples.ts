import type { Report, ReportFile } from '../../domain/report.ts'
import { report } from '../../domain/report.ts'
import type { Kind } from './abilities.ts'
import { golden } from './golden.ts'
import type { Message } from './pages.ts'
import type { Pressable } from './render.ts'
import { details, headline } from './render.ts'
import { fitted } from './table-fit.ts'

/** Something that `slack check` posts. */
export interface Sample {
  /** `smoke-healthy, 2 of 2` or `rung 1: sections` */
  readonly name: string
  readonly message: Message
  readonly files: readonly ReportFile[]
  /** whether it is a rung of the ladder: the first that is taken is how answers will look */
  readonly rung: boolean
}

/** Every golden message, then the same content on each rung of the ladder. */
export function samples(): readonly Sample[] {
  return [...golden().flatMap(({ name, report: given }) => ofGolden(name, given)), ...rungs()]
}

function ofGolden(name: string, given: Report): readonly Sample[] {
  const full = fitted(given)
  const buttons = pressables(full)
  const running = full.status === 'running'
  const { messages, files } = details(full, buttons)
  const all = running ? [headline(full, buttons)] : [headline(full, []), ...messages]
  return all.map((message, at) => ({
    name: all.length === 1 ? name : `${name}, ${at + 1} of ${all.length}`,
    message,
    files: at === all.length - 1 ? files : [],
    rung: false,
  }))
}

/** Nobody can press them: no button of this id is stored. */
function pressables({ actions }: Report): readonly Pressable[] {
  return actions.map(({ label, style }, at) => ({ id: `slack-check-${at + 1}`, label, style }))
}

function rungs(): readonly Sample[] {
  return [
    rung('rung 0: a box', REASONING),
    rung('a table', TABLE),
    rung('rung 1: a section', REASONING, ['container']),
    rung('a table in code', TABLE, ['table']),
    rung('rung 2: a reply of words', REASONING, ['blocks']),
    { ...rung('rung 3: a file', FILE, ['blocks']), files: [{ name: 'slack-check.txt', text: BODY }] },
    rung('rung 4: words alone', FILE, ['blocks', 'files']),
  ]
}

function rung(name: string, given: Report, without: readonly Kind[] = []): Sample {
  const [drawn = headline(given, [])] = details(given, []).messages
  const [message = drawn] = drawn.again?.(without) ?? []
  return { name, message, files: [], rung: given.tables.length === 0 }
}

const BODY = 'One step after the other, and then the next.'
const about = { tone: 'neutral', status: 'done', title: 'How answers look' } as const

const REASONING = report({
  ...about,
  sections: [{ kind: 'reasoning', title: 'Reasoning (12 tokens)', body: BODY, folded: true }],
})
const FILE = report({
  ...about,
  sections: [{ kind: 'text', title: 'A long text', body: `${BODY} …`, folded: false }],
})
const TABLE = report({
  ...about,
  tables: [
    {
      title: 'Cards, the hottest first',
      columns: ['Card', 'Load'],
      rows: [
        ['0', '99 %'],
        ['1', '7 %'],
      ],
    },
  ],
})
