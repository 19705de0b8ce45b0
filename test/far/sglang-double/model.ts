import type { Piece } from '../../../src/domain/completion.ts'
import { compareVersions } from '../../../src/judge/version.ts'
import type { Question, Speech } from '../../../src/lab/story.ts'

/** What decides over the text of an answer. */
export interface Setting {
  readonly version: string
  readonly tensorParallel: number
  readonly reasoningParser: string | null
  readonly strictThinking: boolean
}

/** What the model of the double says, as SGLang in this version and with these flags delivers it. */
export function speechOf(question: Question, setting: Setting): Speech {
  if (skipsAllReduce(setting)) return partialSums(question)
  if (endsInThinking(setting) && question.thinking) return spoken(channelled('reasoning', THOUGHT), 1)
  return spoken(filed(question.thinking, setting.reasoningParser), 2)
}

/** `<|im_end|>` of Qwen3.5 and 3.6. */
const END_TOKEN = 248_046
const THOUGHT =
  'The user asks for a greeting. One friendly sentence is enough; I should not add anything that was not asked for.\n'
const ANSWER = 'Hello! It is good to meet you, how can I help today?'

/** sglang PRs 19070 and 19411: each GPU of the dense model keeps its partial sums. */
function skipsAllReduce({ version, tensorParallel }: Setting): boolean {
  return tensorParallel > 1 && isFrom(version, '0.5.9') && !isFrom(version, '0.5.10rc0')
}

/** Seen there: the end after two tokens, and a sum that runs on for ever (sglang.md 6). */
function partialSums({ prompt }: Question): Speech {
  if (!/\d \+ \d/.test(prompt)) return spoken([], 2)
  return { ...spoken([], 0), pieces: sums() }
}

function* sums(): Generator<Piece> {
  for (;;) yield* channelled('content', '2 + 2 = 2.')
}

/** sglang#27021, of the dense 3.6; there in some answers, here in each, so that nothing hangs on luck. */
function endsInThinking({ version, strictThinking }: Setting): boolean {
  return isFrom(version, '0.5.12') && !isFrom(version, '0.5.13') && !strictThinking
}

function isFrom(version: string, least: string): boolean {
  return (compareVersions(version, least) ?? -1) >= 0
}

/** Parsers that look for the tags of Qwen; the second kind takes text without any tag for thinking (sglang.md 2.2). */
const READS_TAGS = new Set(['qwen3', 'qwen3-thinking', 'deepseek-r1', 'glm45', 'kimi_k2', 'auto'])
const FORCED = new Set(['qwen3-thinking', 'deepseek-r1'])

/** The template opens `<think>` itself, so the raw text holds only the closing tag, and no tag where thinking is off. */
function filed(thinking: boolean, parser: string | null): readonly Piece[] {
  const forced = parser !== null && FORCED.has(parser)
  if (!thinking) return channelled(forced ? 'reasoning' : 'content', ANSWER)
  if (parser === null || !READS_TAGS.has(parser)) return channelled('content', `${THOUGHT}</think>\n\n${ANSWER}`)
  return [...channelled('reasoning', THOUGHT), ...channelled('content', ANSWER)]
}

/** A word is a token. */
function channelled(channel: Piece['channel'], text: string): readonly Piece[] {
  return Array.from(text.matchAll(/\s*\S+\s*$|\s*\S+/g), ([word]) => ({ channel, text: word }))
}

function spoken(pieces: readonly Piece[], hidden: number): Speech {
  return { act: 'speak', pieces, hidden, toolCalls: [], finish: 'stop', stop: END_TOKEN, ending: 'whole' }
}
