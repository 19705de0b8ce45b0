/**
 * A line of an engine's log without what other people asked: whoever logs requests has their prompts in it. What the
 * engine says of itself stays.
 */
export function withoutRequest(line: string): string {
  if (!ANY.test(line)) return line
  return REQUESTS.reduce(
    (text, { sign, content, kept }) => (sign.test(text) ? text.replace(content, kept) : text),
    line,
  )
}

/** What every sign below holds one of; most lines hold none. */
const ANY = /[Pp]rompt|messages|input|content|text|Receive|Finish|Generated|re(?:quest|sponse):/

const MASKED = '[request hidden]'

interface Request {
  /** what such a line holds; cheap */
  readonly sign: RegExp
  /** from where on it is other people's */
  readonly content: RegExp
  readonly kept: string
}

/** JSON in a line of JSON has its quotes escaped. */
const QUOTED =
  /\b(?:prompt|messages|prompt_token_ids|input_ids|input_text|content|text|input)\\{0,3}["']?\s?[:=]\s?(?=\\{0,3}["'[{])/

const UNQUOTED =
  /\b[Pp]rompt: {1,4}(?!(?:\d[\d.]*|None|null|true|false)[)\]}]?[,;]?(?:\s*$|\s?(?:tokens?|tok|ms|s)\b|\s?\w{1,40}[=:]))(?=\S)/

const REQUESTS: readonly Request[] = [
  // SGLang with --log-requests
  { sign: /(?:Receive|Finish): obj=/, content: /((?:Receive|Finish): obj=\w{0,60}\(?)[\s\S]*/, kept: `$1${MASKED}` },
  // vLLM with --enable-log-requests
  {
    sign: /(?:Received request|Generated response for request|Generated response) \S/,
    content: /((?:Received request|Generated response for request|Generated response) \S{1,200})[\s\S]*/,
    kept: `$1 ${MASKED}`,
  },
  // llama.cpp with -v
  { sign: /\b(?:request|response): {1,4}\{/, content: /(\b(?:request|response): {1,4})\{[\s\S]*/, kept: `$1${MASKED}` },
  // Ollama with OLLAMA_DEBUG, any body of a chat, and the fields in which validation errors give it back
  {
    sign: QUOTED,
    content: new RegExp(`(${QUOTED.source})[\\s\\S]*`),
    kept: `$1${MASKED}`,
  },
  // words without quotes; a figure is the engine's
  { sign: UNQUOTED, content: new RegExp(`(${UNQUOTED.source})[\\s\\S]*`), kept: `$1${MASKED}` },
]
