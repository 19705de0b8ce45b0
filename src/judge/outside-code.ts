/** A text without its fenced blocks and code spans: marks in them are quoted. */
export function outsideCode(text: string): string {
  return text.replace(/```[\s\S]*?(```|$)/g, '').replace(/`[^`\n]*`/g, '')
}

/** Whoever asks about such marks gets them in the answer. */
export const ABOUT_MARKS =
  /<\/?think|think(?:ing)?[- ](?:tag|token|mark|block)|reasoning tag|chatml|special token|<\||tool_call|harmony|end[- ]of[- ]turn|(?:eos|end|stop|control)[- ]tokens?|prompt format|chat template|\[INST\]|<\/s>/i
