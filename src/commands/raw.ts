import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { refusal, report } from '../domain/report.ts'
import type { Exchange } from '../domain/smoke.ts'

/** `@pilotflame raw` in a thread: the exact request and response of its last smoke. */
export const raw = defineCommand({
  word: 'raw',
  verb: null,
  summary: 'Show the exact request and response of this thread’s last smoke',
  usage: 'raw',
  examples: ['raw'],
  access: 'read',
  where: 'chat',
  takes: 'nothing',
  args: z.object({}),
  async run(_given, tools) {
    const meant = await tools.memory.meant()
    if (!meant.ok) return refusal(sentence(meant.failure), 'failed')
    if (meant.value === null)
      return refusal('No smoke has ended in this thread yet. Start with: smoke "Say hello"', 'usage')
    if (meant.value.smoke === null)
      return refusal('The request and answer of that attempt are not kept any more.', 'refused')
    const { number, smoke, target } = meant.value
    if (smoke.exchange === null)
      return refusal(`Attempt ${number} on ${target} never reached the server: nothing was sent.`, 'refused')
    return report({
      tone: 'neutral',
      status: 'done',
      title: `Raw exchange of attempt ${number} on ${target}`,
      facts: [
        { label: 'URL', value: smoke.exchange.url },
        { label: 'Status', value: smoke.exchange.status === null ? 'no answer' : String(smoke.exchange.status) },
        { label: 'Ended', value: smoke.exchange.end },
      ],
      sections: [
        { kind: 'code', title: 'Request', body: smoke.exchange.request, folded: false },
        { kind: 'code', title: 'Response', body: smoke.exchange.response || '(no byte)', folded: false },
      ],
      files: [{ name: `attempt-${number}-raw.txt`, text: wholeText(smoke.exchange) }],
      json: smoke.exchange,
    })
  },
})

function wholeText(exchange: Exchange): string {
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `POST ${exchange.url}`,
    exchange.request,
    '',
    `HTTP ${exchange.status ?? '(no answer)'}`,
    ...headers,
    '',
    exchange.response,
    '',
    `(end: ${exchange.end})`,
  ].join('\n')
}
