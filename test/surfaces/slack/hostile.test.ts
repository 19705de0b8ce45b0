import { expect, test } from 'vitest'
import { overReport, planReport } from '../../../src/dispatch/change/words.ts'
import type { OpenPlan, Plan } from '../../../src/domain/plan.ts'
import type { Report } from '../../../src/domain/report.ts'
import { refusal, report } from '../../../src/domain/report.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import { KINDS } from '../../../src/surfaces/slack/abilities.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { say, sorry } from '../../../src/surfaces/slack/deliver.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { digestText } from '../../../src/surfaces/slack/outbox/digest.ts'
import { contentOf, entryOf } from '../../../src/surfaces/slack/outbox/letter.ts'
import { insteadOf } from '../../../src/surfaces/slack/outbox/parts.ts'
import { draftOf } from '../../../src/surfaces/slack/outbox/room.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { details, headline, whole } from '../../../src/surfaces/slack/render.ts'
import { fitted } from '../../../src/surfaces/slack/table-fit.ts'
import { random } from '../../random.ts'
import type { Sent } from './hostile.ts'
import { hasOddFences, hostileTexts, markupIn, SECRET, uncleanIn, wrongIn } from './hostile.ts'

const REPORTS = 500
const clean = (text: string): string => sanitise(text).replaceAll(SECRET, '[redacted]')

test('20,000 hostile texts in every kind of message: no live mention or link, no broken fence, no refused block', () => {
  const judged = { texts: 0, messages: 0 }
  for (let seed = 0; seed < REPORTS; seed += 1) {
    const { text, drawn } = hostileTexts(seed)
    for (const [kind, messages] of Object.entries(everyKind(seed, text))) {
      for (const message of messages) {
        const wrong = wrongIn(message)
        if (wrong !== null) throw new Error(`seed ${seed}, ${kind}: ${wrong.slice(0, 2_000)}`)
        judged.messages += 1
      }
    }
    const unclean = uncleanIn(cleaned(hostileReport(seed, text), clean))
    if (unclean !== null) throw new Error(`seed ${seed}, what is kept and uploaded: ${unclean.slice(0, 2_000)}`)
    judged.texts += drawn()
  }
  console.log(`hostile texts: ${judged.texts} in ${judged.messages} serialised messages; live, broken or refused: 0`)
  expect(judged.texts).toBeGreaterThan(20_000)
}, 60_000)

const CLOCK = { now: () => 0, monotonic: () => 0 }

type Text = (longest: number) => string

/** All kinds of messages that can hold the same texts. */
function everyKind(seed: number, text: Text): Readonly<Record<string, readonly Sent[]>> {
  const shown = fitted(cleaned(hostileReport(seed, text), clean))
  const buttons = shown.actions.map(({ label, style }, at) => ({ id: `id-${at}`, label, style }))
  const [plan, over, no] = [hostilePlan(seed, text), hostileOver(text), refusal(text(8))].map((one) =>
    cleaned(one, clean),
  )
  const all = [headline(shown, buttons), ...details(shown, buttons).messages, ...whole(shown, buttons, true).messages]
  return {
    posted: all.map(asSent),
    private: whole(shown, buttons, false).messages.map(asSent),
    'lower rungs': all.flatMap(lowered).map(asSent),
    'words and parts': all.flatMap(inParts),
    'plan, its end, a refusal': [plan, over, no]
      .flatMap((one) => (one === undefined ? [] : whole(one, buttons, true).messages))
      .map(asSent),
    digest: [digestOf(all)],
    apologies: [
      say(clean(`${text(4)} could not be uploaded`)),
      sorry({ kind: 'no', code: clean(text(3)), waitMs: 0, details: [] }, 'pilotflame'),
    ].map(asSent),
    'names of files': shown.files.map(({ name }) => asSent(say(name))),
    'behind buttons': behind(shown).map(asSent),
  }
}

/** What the buttons show, as it is kept until then. */
function behind({ actions }: Report): readonly Message[] {
  const pages = actions.flatMap(({ reveals }) => (reveals === undefined ? [] : [reveals]))
  return pages.flatMap((page) => whole(fitted(report({ tone: 'neutral', status: 'done', ...page })), [], true).messages)
}

function asSent({ text, blocks }: Message): Sent {
  return { text: written(text), blocks }
}

/** The same with less: each kind refused alone, then all of them. */
function lowered(message: Message): readonly Message[] {
  return [...KINDS.map((kind) => [kind]), KINDS].flatMap((without) => message.again?.(without) ?? [])
}

/** What the outbox makes of a message after a restart, when only what was kept is known. */
function inParts(message: Message): readonly Sent[] {
  return (['blocks', 'long'] as const).flatMap((kind) => {
    const refused = { kind, code: kind, waitMs: 0, details: [] }
    const parts = insteadOf({
      wire: contentOf(message),
      message: null,
      refusal: refused,
      rung: 0,
      passing: false,
      lower: () => null,
    })
    return (parts ?? []).map(({ wire }) => wire)
  })
}

function digestOf(messages: readonly Message[]): Sent {
  const at = { place: { channel: 'C1', thread: null }, ts: null }
  const entries = messages.map((message, no) => entryOf(draftOf({ id: `id-${no}`, ...at }, contentOf(message)), CLOCK))
  const titles = new Map(entries.map(({ letter }) => [letter.id, letter.title]))
  return { text: digestText({ from: 0, titles }, 60_000), blocks: [] }
}

function hostileReport(seed: number, text: Text): Report {
  const { pick, below } = random(seed)
  const section = () => ({
    kind: pick(['reasoning', 'content', 'tool-calls', 'diagnosis', 'text', 'code', 'log'] as const) ?? 'text',
    title: text(6),
    body: text(below(20) === 0 ? 400 : 30),
    folded: below(2) === 0,
  })
  const rows = Array.from({ length: below(10) === 0 ? 120 : 2 }, (_, at) =>
    at < 3 ? [text(4), text(4)] : ['a', '1 %'],
  )
  return report({
    tone: pick(['good', 'bad', 'warning', 'neutral', 'running'] as const) ?? 'good',
    status: pick(['healthy', 'refused', 'done', 'running'] as const) ?? 'healthy',
    title: text(5),
    summary: text(8),
    lead: text(10),
    facts: [
      { label: text(2), value: text(3) },
      { label: text(2), value: text(40) },
    ],
    tables: [{ title: text(3), columns: [text(2), text(2)], rows }],
    sections: [section(), section(), section()],
    actions: [
      { label: text(3), line: 'retry', style: 'plain' },
      { label: text(3), line: 'stop', style: 'danger' },
    ],
    files: [
      { name: text(3), text: text(10) },
      { name: 'whole.txt', text: text(10) },
    ],
  })
}

function hostilePlan(seed: number, text: Text): Report {
  const plan: Plan = {
    title: text(3),
    effect: text(8),
    facts: [{ label: text(2), value: text(5) }],
    seen: 'x',
    seenInWords: text(3),
    on: [{ kind: 'target', name: 'qwen' }],
    host: null,
    unit: null,
    capped: false,
  }
  return planReport(openPlan(text, random(seed).below(2) === 0), plan)
}

function hostileOver(text: Text): Report {
  return overReport(openPlan(text, false), text(4))
}

function openPlan(text: Text, alone: boolean): OpenPlan {
  return {
    id: 'plan-1',
    line: 'sglang restart qwen',
    terms: { reason: text(5), force: true, breakGlass: alone },
    target: 'qwen',
    title: text(3),
    person: { team: 'T1', id: 'U1', name: text(2) },
    place: { channel: 'C1', thread: null },
    seen: 'x',
    seenInWords: text(3),
    on: [{ kind: 'target', name: 'qwen' }],
    host: 'gpu1',
    unit: 'qwen',
    approval: alone ? 'own' : 'second',
    at: 0,
    expires: 60_000,
  }
}

test('the judge can fail', () => {
  const lone = JSON.parse('"\\ud83d"')
  const acting = ['a\u0007', '\u202e', '\u200b', '\u{e0041}', '\u0085', '\u2028', String(lone)]
  for (const text of ['<!channel>', 'a &lt', '```\na\n``` b ```', SECRET, ...acting]) {
    expect(wrongIn({ text, blocks: [] }), text).not.toBeNull()
  }
  expect(uncleanIn(report({ tone: 'good', status: 'done', title: 'a', files: [{ name: 'a', text: SECRET }] }))).toMatch(
    SECRET,
  )
  expect(wrongIn({ text: 'fine &lt;!channel&gt;\n```\na\n```', blocks: [] })).toBeNull()
  const header = { type: 'header', text: { type: 'plain_text', text: 'Verified', emoji: false } }
  expect(wrongIn({ text: 'a', blocks: [header] })).toMatch('without our sign')
  expect(wrongIn({ text: 'a', blocks: [{ type: 'divider' }] })).toMatch('divider')
  expect(markupIn([{ type: 'mrkdwn', text: '<!channel>', verbatim: true }])).toEqual(['<!channel>'])
  expect(markupIn([{ type: 'plain_text', text: 'x' }])).toEqual(['<plain_text with emoji>'])
  expect(hasOddFences('```\na\n``` b ```')).toBe(true)
})
