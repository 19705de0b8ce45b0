/**
 * What an operator would search answers, logs and outputs for: 40 words, each found anywhere in a text and in any case,
 * as `grep -iF` does. `null` alone would accuse every healthy answer of SGLang, so it is the empty content that is meant.
 */
export const KEYWORDS: readonly string[] = [
  ...['error', 'exception', 'traceback', 'fatal', 'panic', 'abort', 'fail', 'unable to', 'cannot', 'invalid'],
  ...['refused', 'reset by peer', 'timed out', 'timeout', 'unreachable', 'denied', 'unauthorized', 'not found'],
  ...['no such file', 'no space left', 'out of memory', 'oom-kill', 'not enough memory', 'killed', 'segfault'],
  ...['core dumped', 'assert', 'undefined symbol', 'mismatch', 'corrupt', 'unsupported', 'not supported', 'exceeds'],
  ...['queue is full', 'unavailable', 'bad gateway', 'xid (', 'fallen off', '"content": null', '"content":null'],
]

/** Whether a text holds one of the words. */
export function hasKeyword(text: string, words: readonly string[] = KEYWORDS): boolean {
  const lower = text.toLowerCase()
  return words.some((word) => lower.includes(word))
}
