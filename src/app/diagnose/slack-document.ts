import { commands } from '../../commands/index.ts'
import { ECHOED_PROMPT } from '../../commands/smoke/live.ts'
import type { Ask, Said } from '../../domain/ask.ts'
import { sanitise } from '../../domain/sanitise.ts'
import { actingIn, readPosted } from '../../judge/slack/posted.ts'
import { readLine } from '../../judge/slack.ts'
import type { Line } from '../../parse/line.ts'
import { lineFrom } from '../../parse/line.ts'
import type { Call, Parsed, Problem } from '../../parse.ts'
import { parse } from '../../parse.ts'
import { mrkdwn, written } from '../../surfaces/slack/escape.ts'
import { LIMITS } from '../../surfaces/slack/limits.ts'
import type { Judged } from './document.ts'
import { laterCommands } from './later-commands.ts'
import type { Fields } from './record.ts'
import { recordOf, textOf } from './record.ts'
import { answerDocument } from './slack-answer.ts'

/** Kind E: what Slack delivered to us, what we write to it, or what it answered. */
export function slackDocument(input: unknown): Judged {
  const fields = recordOf(input)
  if (fields === null) return { ok: false, problem: '"input" is no object' }
  const wrong = ['text', 'command', 'typed'].find((name) => fields[name] != null && textOf(fields[name]) === undefined)
  if (wrong !== undefined) return { ok: false, problem: `"input.${wrong}" is no text` }
  const { surface } = fields
  switch (surface) {
    case 'slash':
    case 'event':
      return lineDocument(surface, fields)
    case 'outgoing':
      return posted(textOf(fields['text']) ?? '')
    case 'api-error':
      return answerDocument(fields)
    default:
      return { ok: false, problem: `"input.surface" is not known; ${SURFACES}` }
  }
}

const SURFACES =
  'write "slash" or "event" with the text that Slack delivered, "outgoing" with a text that goes to Slack, or "api-error" with its "response"'

function posted(text: string): Judged {
  const escaped = written(mrkdwn`${sanitise(text)}`)
  const finding = readPosted({ text, written: escaped, section: LIMITS.section })
  return { ok: true, finding, parsed: { posted: escaped, must_not_contain_raw: actingIn(text) } }
}

function lineDocument(surface: 'slash' | 'event', fields: Fields): Judged {
  const [text, command] = [textOf(fields['text']) ?? '', textOf(fields['command'])]
  const ask = askOf(surface, text, command ?? null, isInThread(fields))
  const line = lineFrom(ask)
  const later = laterCommands(line, commands, surface === 'slash')
  const read = parse(ask, [...commands, ...later])
  const problem = read.kind === 'problem' ? read : null
  const finding = readLine({
    surface,
    text,
    plain: line.text,
    typed: textOf(fields['typed']) ?? null,
    error: problem === null ? null : ERRORS[problem.what],
    stands: problem?.what === 'link' || problem?.what === 'mention' ? problem.what : null,
    thing: command === undefined ? 'the message' : sanitise(command.slice(0, 40)),
    answer: problem?.text ?? null,
    silent: read.kind === 'silence',
    later: read.kind !== 'silence' && read.command !== null && later.includes(read.command),
  })
  return { ok: true, finding, parsed: parsedOf(read, line) }
}

/** In a thread people talk to each other; everywhere else what arrived was meant for the bot. */
function isInThread({ text, thread, thread_ts }: Fields): boolean {
  return (thread != null || thread_ts != null) && !/<@[A-Z0-9]+/.test(textOf(text) ?? '')
}

function askOf(surface: 'slash' | 'event', text: string, word: string | null, inThread: boolean): Ask {
  const said: Said = surface === 'slash' ? { form: 'plain', word, text } : { form: 'encoded', text }
  const how = inThread ? 'thread' : 'mention'
  return {
    id: 'diagnose',
    how: surface === 'slash' ? 'slash' : how,
    said,
    person: { team: 'local', id: 'local', name: 'local', kind: 'local' },
    place: { channel: 'terminal', thread: null },
    attempt: null,
    at: 0,
  }
}

const ERRORS: Readonly<Record<Problem['what'], string>> = {
  command: 'unknown command',
  verb: 'unknown verb',
  flag: 'unknown flag',
  value: 'wrong value',
  name: 'unknown host',
  link: 'unknown host',
  mention: 'unknown host',
  words: 'unexpected words',
  length: 'too long',
}

function parsedOf(read: Parsed, { head, words }: Line): Fields {
  switch (read.kind) {
    case 'silence':
      return { command: null, action: 'none' }
    case 'problem':
      return { command: head, action: 'clarify', error: ERRORS[read.what] }
    case 'help':
      return { command: read.command?.word ?? head, args: [], flags: {}, action: words.length === 0 ? DEFAULT : 'help' }
    case 'call':
      return called(read)
  }
}

function called({ command: { word, verb, takes }, raw: { prompt, words, flags } }: Call): Fields {
  const args = verb === null ? words : [verb, ...words]
  const echo = prompt === null ? {} : { prompt_chars: [...prompt].length, echo_max: ECHOED_PROMPT }
  const action = (takes === 'prompt' || takes === 'reason') && prompt === null ? DEFAULT : 'run'
  return { command: word, args, flags, prompt, ...echo, action, error: null }
}

const DEFAULT = 'help-or-default'
