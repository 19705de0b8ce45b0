import type { Ask } from '../domain/ask.ts'
import type { Offer } from '../domain/conversation.ts'
import type { Page } from '../domain/page.ts'
import type { Action } from '../domain/report.ts'
import type { House } from './house.ts'

/** Buttons work this long, in ms; afterwards they say that nothing was run. */
const BUTTON_LIFE_MS = 7 * 24 * 60 * 60 * 1000

/** Keeps what an action stands for. What somebody typed is kept no longer than prompts are, and never with a secret in it. */
export function offersOf(ask: Pick<Ask, 'place'>, house: Keeping, attempt: () => string | null): Offer {
  const offered = new Map<string, Promise<string | null>>()

  async function keep({ line, holdsPrompt = false, attempt: own }: Omit<Offered, 'reveals'>): Promise<string | null> {
    const life = holdsPrompt ? Math.min(BUTTON_LIFE_MS, house.keepPromptsMs) : BUTTON_LIFE_MS
    if (life === 0 || house.redact(line) !== line) return null
    // a question is answered once
    return addButton(line, own ?? attempt(), holdsPrompt, house.clock.now() + life)
  }

  async function addButton(line: string, of: string | null, once: boolean, expires: number): Promise<string | null> {
    const [id, at] = [house.newId(), house.clock.now()]
    const kept = await house.store.addButton({ id, line, attempt: of, place: ask.place, at, once, expires })
    if (!kept.ok) house.log.error('button not kept', { failure: kept.failure })
    return kept.ok ? id : null
  }

  /** What is shown at a press is kept as long as prompts are, and so is its button. */
  async function keepPage(report: Page['report']): Promise<string | null> {
    if (house.keepPromptsMs === 0) return null
    const [id, at] = [house.newId(), house.clock.now()]
    const expires = at + Math.min(BUTTON_LIFE_MS, house.keepPromptsMs)
    const kept = await house.store.addPage({ id, report: redacted(report, house.redact), at, expires })
    if (!kept.ok) house.log.error('page not kept', { failure: kept.failure })
    return kept.ok ? addButton(`more ${id}`, attempt(), false, expires) : null
  }

  return (action) => {
    const { line, reveals } = action
    // an action that reveals has no line of its own
    const key = reveals === undefined ? line : JSON.stringify(reveals)
    const made = offered.get(key) ?? (reveals === undefined ? keep(action) : keepPage(reveals))
    offered.set(key, made)
    return made
  }
}

/** All that it takes of the house. */
export type Keeping = Pick<House, 'store' | 'clock' | 'log' | 'newId' | 'redact' | 'keepPromptsMs'>

type Offered = Pick<Action, 'line' | 'holdsPrompt' | 'reveals' | 'attempt'>

/** A table as it may be kept. */
function redacted({ title, tables }: Page['report'], redact: (text: string) => string): Page['report'] {
  const clean = (texts: readonly string[]): readonly string[] => texts.map(redact)
  return {
    title: redact(title),
    tables: tables.map((one) => ({ title: redact(one.title), columns: clean(one.columns), rows: one.rows.map(clean) })),
  }
}
