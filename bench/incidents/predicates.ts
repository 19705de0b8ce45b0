import { hasKeyword } from '../rivals/keywords.ts'

/** What every party is given for one answer, in ms: Prometheus' own limit for a scrape. */
export const LIMIT_MS = 10_000

/** What is asked, and how many tokens it may cost, whoever asks. */
export const PROMPT = 'Say hello in one sentence.'

/** What came over HTTP; null where nothing whole came in time. */
type Came = { readonly status: number; readonly body: string } | null

/** Whether each status check calls the server at `url` healthy. Three of them look at the same answer. */
export async function predicates(url: string, budget: number) {
  const [health, pinged, answered] = await Promise.all([
    got(`${url}/health`),
    got(`${url}/v1/chat/completions`, chat(1)),
    got(`${url}/v1/chat/completions`, chat(budget)),
  ])
  return {
    status: health?.status === 200,
    ping: pinged?.status === 200,
    json: answered?.status === 200 && isObject(read(answered.body)),
    content: answered?.status === 200 && contentIn(answered.body).trim() !== '',
    words: answered !== null && !hasKeyword(`HTTP ${answered.status}\n${answered.body}`),
  }
}

/** The body of a chat request that does not stream, as a prober sends it. */
export function chat(budget: number): string {
  return JSON.stringify({ messages: [{ role: 'user', content: PROMPT }], max_tokens: budget })
}

async function got(url: string, body: string | null = null): Promise<Came> {
  const asked = body === null ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  try {
    const response = await fetch(url, { ...asked, signal: AbortSignal.timeout(LIMIT_MS) })
    return { status: response.status, body: await response.text() }
  } catch {
    return null
  }
}

function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** `choices[0].message.content`; empty where there is none. */
function contentIn(body: string): string {
  const content = ['choices', '0', 'message', 'content'].reduce<unknown>(
    (value, key) => (isObject(value) ? Reflect.get(value, key) : null),
    read(body),
  )
  return typeof content === 'string' ? content : ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
