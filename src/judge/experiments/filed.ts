import type { Channel, Completion } from '../../domain/completion.ts'
import { isBlank } from '../answer.ts'

/** Text that came in one channel alone. */
export interface Filed {
  readonly channel: Channel
  readonly text: string
  /** whether marks of thinking stand in it */
  readonly marked: boolean
}

/** Null where there is none, or both channels have some, or a tool was called. */
export function filedIn(completion: Completion | null): Filed | null {
  if (completion === null || completion.toolCalls.length > 0) return null
  const { reasoning, content } = completion
  if (isBlank(reasoning) === isBlank(content)) return null
  const channel = isBlank(content) ? 'reasoning' : 'content'
  const text = completion[channel] ?? ''
  return { channel, text, marked: MARK.test(text) }
}

/** Qwen, DeepSeek, GLM, Kimi K2 · older Kimi · Magistral · gpt-oss */
export const MARK =
  /<\/?(?:\w{1,20}:)?(?:think|thinking|thought|reasoning)>|◁\/?think▷|\[\/?THINK\]|<\|(?:channel|message)\|>/i
