import type { Speech } from '../story.ts'
import type { Ended } from './dialect.ts'

/** What a speech is before any parser: its thoughts between tags, then the answer, cut at the budget. */
export function rawSpeech(speech: Speech, budget: number, promptTokens: number): { text: string; ended: Ended } {
  const [thoughts, content]: [string[], string[]] = [[], []]
  let spoken = 0
  for (const { channel, text } of speech.pieces) {
    if (spoken === budget) break
    spoken += 1
    const said = channel === 'reasoning' ? thoughts : content
    said.push(text)
  }
  const fits = spoken + speech.hidden <= budget
  const closed = content.length > 0 ? '\n</think>\n\n' : ''
  const thought = thoughts.length === 0 ? '' : `<think>\n${thoughts.join('')}${closed}`
  const ended: Ended = {
    finish: fits ? speech.finish : 'length',
    stop: fits ? speech.stop : null,
    promptTokens,
    completionTokens: fits ? spoken + speech.hidden : budget,
    reasoningTokens: thoughts.length,
  }
  return { text: `${thought}${content.join('')}`, ended }
}
