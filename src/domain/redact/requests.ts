/**
 * A line of an engine's log without what other people asked: whoever logs requests has their prompts in it. What the
 * engine says of itself stays.
 */
export function withoutRequest(line: string): string {
  const found = REQUESTS.find(({ sign }) => sign.test(line))
  return found === undefined ? line : line.replace(found.content, found.kept)
}

const MASKED = '[request hidden]'

interface Request {
  /** what such a line holds; cheap */
  readonly sign: RegExp
  /** from where on it is other people's */
  readonly content: RegExp
  readonly kept: string
}

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
  // Ollama with OLLAMA_DEBUG, and any body of a chat
  {
    sign: /["']?\b(?:prompt|messages|prompt_token_ids|input_ids|input_text)["']?\s?[:=]\s?["'[{]/,
    content: /(["']?\b(?:prompt|messages|prompt_token_ids|input_ids|input_text)["']?\s?[:=]\s?)["'[{][\s\S]*/,
    kept: `$1${MASKED}`,
  },
]
