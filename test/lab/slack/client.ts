import type { Fields } from '../../../src/lab/slack/json.ts'
import { isFields, parse } from '../../../src/lab/slack/json.ts'

/** Calls a Web API method with plain JSON, so that a test may send what a typed client would not. */
export async function call(slack: { apiUrl: string; botToken: string }, method: string, body: Fields): Promise<Fields> {
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` },
    body: JSON.stringify(body),
  })
  const reply = parse(await response.text(), null)
  return isFields(reply) ? reply : {}
}

/** Connects by Socket Mode, acknowledges everything and keeps it. */
export async function listen(slack: { apiUrl: string; appToken: string }) {
  const { url } = await call({ ...slack, botToken: slack.appToken }, 'apps.connections.open', {})
  const socket = new WebSocket(String(url))
  const heard: Fields[] = []
  socket.addEventListener('message', ({ data }) => {
    const envelope = parse(String(data), null)
    if (!isFields(envelope)) return
    heard.push(envelope)
    if ('envelope_id' in envelope) socket.send(JSON.stringify({ envelope_id: envelope['envelope_id'] }))
  })
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
  return { heard, closed, close: () => socket.close() }
}

/** What an envelope carries. */
export function payloadOf(envelope: Fields | undefined): Fields {
  return isFields(envelope?.['payload']) ? envelope['payload'] : {}
}
