import type { Piece } from '../../src/domain/completion.ts'
import { immediateEos, overthink } from '../../src/lab/stories.ts'
import type { Question, Speech, Story } from '../../src/lab/story.ts'

/** "!!!!!" to the end of any budget: weights or a kernel are wrong. */
export const exclamations = spoken('exclamations', ({ budget }) => ({ pieces: said('!', budget) }))

/** The model answers, and the parser that was chosen for another family loses all of it: 180 tokens, no text. */
export const lostByParser = spoken('lost-by-parser', () => ({ hidden: 180 }))

/** At the pace of `HANGING` one token comes, then none for hours. A budget of one token is met. */
export const hangs = spoken('hangs', ({ budget }) => ({ pieces: said(' Hello', Math.min(budget, 100)) }))

/** tokens a second */
export const HANGING = 1 / 10_000

/** Thinks for 1,700 tokens before it answers, whatever the budget is. */
export const thinksLong: Story = {
  ...overthink,
  play: (question) => overthink.play({ ...question, budget: Math.max(question.budget, 4096) }),
}

function said(text: string, count: number): readonly Piece[] {
  return Array.from({ length: count }, () => ({ channel: 'content', text }))
}

/** Ends as every answer of the lab does, after what `play` says. */
function spoken(name: string, play: (question: Question) => Partial<Speech>): Story {
  return {
    name,
    health: 200,
    play(question) {
      const act = immediateEos.play(question)
      return act.act === 'speak' ? { ...act, ...play(question) } : act
    },
  }
}
