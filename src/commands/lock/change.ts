import { called } from '../../domain/called.ts'
import type { Tools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock, Thing } from '../../domain/lock.ts'
import { LONGEST_REASON, reasonOf } from '../../domain/reason.ts'
import type { Report } from '../../domain/report.ts'
import { refusal, report } from '../../domain/report.ts'
import { isSamePerson } from '../../domain/same-person.ts'
import { ago, span } from '../../domain/span.ts'

/** Locks a host or a target in the name of whoever asks. */
export async function lock(on: Thing, said: string | null, tools: Tools): Promise<Report> {
  const { ask, clock, records, redact } = tools
  const reason = reasonOf(unquoted(redact(said ?? '')))
  if (reason === '')
    return refusal(`Not locked: a lock needs a reason. Next: ${typedFor('lock', on, tools)} REASON`, 'usage')
  if (reason.length > LONGEST_REASON) {
    const words = `Not locked: the reason has ${reason.length} characters. Next: shorten it to ${LONGEST_REASON}.`
    return refusal(words, 'usage')
  }
  const { team, id, name } = ask.person
  const { channel } = ask.place
  const wanted: Lock = { on, owner: { team, id, name }, reason, channel, at: clock.now(), operation: null }
  const taken = await records.takeLock(wanted)
  if (!taken.ok) return refusal(`Not locked: ${sentence(taken.failure)}`, 'failed')
  return taken.value === null ? locked(wanted, tools) : refusal(stands(taken.value, tools))
}

/** `qwen "too hot"`: the quotes belong to the line. */
function unquoted(text: string): string {
  return /^["“”„][\s\S]*["“”]$/.test(text) ? text.slice(1, -1) : text
}

function locked({ on, owner, reason }: Lock, tools: Tools): Report {
  const what = on.kind === 'host' ? `${on.name} and all targets on it` : on.name
  return report({
    tone: 'neutral',
    status: 'done',
    title: `${called(owner)} locked ${on.name}: “${reason}”`,
    summary: `Nobody else changes ${what} until it is taken off: ${typedFor('unlock', on, tools)}`,
    json: { on, owner, reason },
    seenBy: 'channel',
  })
}

function stands({ on, owner, reason, at }: Lock, tools: Tools): string {
  const since = ago(tools.clock.now() - at)
  const unlock = typedFor('unlock', on, tools)
  return `Not locked: ${called(owner)} locked ${on.name} ${since}: “${reason}”. Next: ask ${called(owner)}, or take it off with ${unlock}`
}

/** Takes a lock off. Anybody with the role may, also another’s; then everybody sees whose it was, here and where it was taken. */
export async function unlock(on: Thing, { ask, clock, records, announce }: Tools): Promise<Report> {
  const dropped = await records.dropLock(on, null)
  if (!dropped.ok) return refusal(`Not unlocked: ${sentence(dropped.failure)}`, 'failed')
  const lock = dropped.value
  if (lock === null) return refusal(`${on.name} is not locked, so nothing was taken off.`)
  const own = isSamePerson(lock.owner, ask.person)
  const whose = own ? 'their own lock' : `the lock of ${called(lock.owner)}`
  const told = report({
    tone: own ? 'neutral' : 'warning',
    status: 'done',
    title: `${called(ask.person)} took ${whose} off ${on.name}`,
    summary: `It stood for ${span(clock.now() - lock.at)}: “${lock.reason}”`,
    json: { on, owner: lock.owner, reason: lock.reason },
    seenBy: 'channel',
  })
  if (!own && lock.channel !== ask.place.channel) announce(lock.channel, told)
  return told
}

function typedFor(verb: 'lock' | 'unlock', { kind, name }: Thing, { typed }: Tools): string {
  return typed(`${kind === 'host' ? 'gpu' : 'sglang'} ${verb} ${name}`)
}
