import type { Piece } from '../../domain/completion.ts'
import type { Story } from '../story.ts'

/** The same story, and `onAnswer` once an answer of it was said to its end; a thought alone is none. */
export function heard(story: Story, onAnswer: () => void): Story {
  return {
    ...story,
    play(question) {
      const act = story.play(question)
      return act.act === 'speak' ? { ...act, pieces: listenedTo(act.pieces, onAnswer) } : act
    },
  }
}

function* listenedTo(pieces: Iterable<Piece>, onAnswer: () => void): Generator<Piece> {
  let isAnswered = false
  for (const piece of pieces) {
    yield piece
    isAnswered ||= piece.channel === 'content'
  }
  if (isAnswered) onAnswer()
}
