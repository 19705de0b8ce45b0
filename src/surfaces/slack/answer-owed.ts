import type { Conversation } from '../../domain/conversation.ts'
import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Line } from './deliver.ts'
import type { Respond } from './response-url.ts'
import type { Ears } from './take.ts'
import { tellLost } from './unanswered.ts'

type Whisper = Line['whisper']

/** What one ask is owed: an answer, or at least a word. Until then it is not settled, so that a crash leaves it open. */
export interface AnswerOwed {
  /** Sees by itself what becomes of the ask. */
  watch(talk: Conversation): Conversation
  /** Sees what one person alone could not be shown, which is the last way: also what was kept may yet be refused. */
  watchWhisper(whisper: Whisper): Whisper
  /** It was answered in one sentence; or not, where Slack did not take that. */
  said(shown: boolean): Promise<void>
  /** Nothing more is said: whoever waits and got nothing is told later. */
  close(): Promise<void>
}

interface Options {
  readonly ears: Pick<Ears, 'settle' | 'keepAsk' | 'unanswered' | 'desk' | 'clock' | 'log'>
  readonly respond: Respond | null
  /** an event was claimed without being kept: Slack repeats it unless it is acknowledged */
  readonly isEvent: boolean
  /** Slack may not repeat the event: it is kept as soon as it is known to be ours */
  readonly isLastTry: boolean
}

/** The receiver acknowledges an event after 2 s, handled or not; in ms. */
const KEEP_MS = 1_500

export function answerOwed(ask: OpenAsk, { ears, respond, isEvent, isLastTry }: Options): AnswerOwed {
  const { post } = ears.desk
  const late = isEvent ? keepLate(ask, ears, isLastTry ? 0 : KEEP_MS) : null
  let settling: Promise<void> | null = null
  let isWaitedFor = false
  let isAnswered = false
  let isRefused = false

  function settle(): Promise<void> {
    late?.stop()
    settling ??= ears.settle(ask.keys)
    return settling
  }

  async function said(shown: boolean): Promise<void> {
    isWaitedFor = true
    isAnswered ||= shown
    if (shown) await settle()
  }

  return {
    said,
    watchWhisper: (whisper) => async (messages, why) => {
      const shown = await whisper(messages, why)
      if (shown) return true
      isWaitedFor = true
      // it was kept, and is no answer any more
      isRefused ||= isAnswered
      isAnswered = false
      return false
    },
    watch: (talk) => ({
      ...talk,
      understood: () => late?.understood(),
      // a restart ends it from here on: the house has noted its message
      async begin(report, offer, how) {
        // before somebody may see it: what has begun is not run again, though Slack delivers it again
        if (isEvent) await ears.keepAsk(ask)
        const opened = await talk.begin(report, offer, how)
        if (opened.message !== null) await settle()
        return opened
      },
      async end(report, offer, kept) {
        await said(false)
        return talk.end(report, offer, async () => {
          await kept?.()
          await said(true)
        })
      },
    }),
    async close() {
      late?.stop()
      if (!isWaitedFor || isAnswered) return settle()
      await ears.keepAsk(ask)
      ears.unanswered(ask, (open) => tellLost(open, { isRefused, respond }, { ...ears, post }))
    },
  }
}

/** Keeps what Slack may not deliver again, once it is clear that it is ours: replies in a thread are mostly not. */
function keepLate(ask: OpenAsk, { keepAsk }: Pick<Ears, 'keepAsk'>, afterMs: number) {
  let isOurs = ask.how !== 'thread'
  let isLate = false
  function look(): void {
    if (isOurs && isLate) void keepAsk(ask)
  }
  const timer = setTimeout(() => {
    isLate = true
    look()
  }, afterMs)
  return {
    understood(): void {
      isOurs = true
      look()
    },
    stop(): void {
      clearTimeout(timer)
      isLate = false
    },
  }
}
