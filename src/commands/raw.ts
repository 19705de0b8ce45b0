import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Exchange } from '../domain/smoke.ts'

/** `@pilotflame raw` in a thread: the exact request and response of its last smoke. */
export const raw = defineCommand({
  word: 'raw',
  verb: null,
  summary: 'Show the exact request and response of this thread’s last smoke',
  usage: 'raw [--target NAME]',
  examples: ['raw', 'raw --target qwen'],
  access: 'read',
  where: 'chat',
  takes: 'nothing',
  flags: [{ name: 'target', kind: 'name', value: 'NAME', help: 'the last one on this target' }],
  args: z.object({ target: z.string().optional() }),
  async run({ target: named }, tools) {
    const meant = await tools.memory.meant(named ?? null)
    if (!meant.ok) return refusal(sentence(meant.failure), 'failed')
    if (meant.value === null) return refusal(noneYet(named), 'usage')
    if (named === undefined && tools.ask.attempt === null) {
      const several = await tools.memory.several()
      if (!several.ok) return refusal(sentence(several.failure), 'failed')
      const here = several.value.filter((name) => tools.who.targetIn(tools.ask.place.channel, name) !== null)
      if (here.length > 1) return whichOf(here)
    }
    if (tools.who.targetIn(tools.ask.place.channel, meant.value.target) === null) return refusal(NOT_HERE)
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

const NOT_HERE =
  'That smoke was of a target that may not be used in this channel any more, so it is not shown. Next: ask in a channel where it may.'

function noneYet(target: string | undefined): string {
  const where = target === undefined ? '' : ` on ${excerpt(target, 64)}`
  return `No smoke${where} has ended in this thread yet. Start with: smoke "Say hello"`
}

/** Choices that are offered as buttons; the rest is named. */
const OFFERED = 20

function whichOf(targets: readonly string[]): Report {
  return report({
    tone: 'neutral',
    status: 'needs-clarification',
    title: 'Which target?',
    summary: `This thread is about several. Press one, or write raw --target NAME: ${targets.join(', ')}.`,
    actions: targets.slice(0, OFFERED).map((name) => ({ label: name, line: `raw --target ${name}`, style: 'plain' })),
  })
}

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
