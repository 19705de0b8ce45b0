import type { Ask } from '../../src/domain/ask.ts'
import { parse } from '../../src/parse.ts'
import { commands, mention, slash, typed } from '../parse/house.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

/** Command lines that cannot be run; the answer must hold the words beside each. */
export const commandRows: readonly Row[] = [
  row('an unknown command', mention('smok "Say hello"'), ['“smok”', 'did you mean smoke?']),
  row('talk', mention('thank you all'), ['“thank”', 'type help']),
  row('an unknown verb', slash('/gpu', 'stats'), ['“stats”', 'did you mean status?']),
  row('a misspelled flag', slash('/smoke', 'hi --max-token 5'), ['--max-token', 'did you mean --max-tokens?']),
  row('an unknown flag', slash('/gpu', 'status --colour'), ['--colour', 'use one of --sort']),
  row('a flag that nobody knows after a prompt', typed('smoke', 'Say hello', '--model', 'foo'), [
    '--model goes only with --url',
    '--target NAME',
  ]),
  row('a flag without value', slash('/smoke', 'hi --target'), ['--target has no value', 'write --target NAME']),
  row('a flag given twice', slash('/smoke', '--target a --target b hi'), ['--target is given twice', 'keep one']),
  row('a value for a switch', slash('/smoke', 'hi --no-stream=never'), ['--no-stream is a switch', 'alone']),
  row('words where none are taken', mention('retry it please'), ['“it please”', 'write retry']),
  row('a shell line instead of a name', slash('/gpu', 'status $(reboot)'), ['“$(reboot)”', 'write a name']),
  row('a person instead of a host', mention('gpu status <@U123ABC>'), ['“<@U123ABC>”', 'unknown host']),
  row('a link that hides another host', mention('gpu status <https://evil.example?x|gpu-1>'), [
    'evil.example',
    'unknown host',
  ]),
  row('words without end', typed('gpu', 'status', ...Array.from({ length: 300 }, () => 'a')), [
    '300 words',
    'at most 200',
  ]),
  row('a prompt without end', slash('/smoke', `"${'x'.repeat(12_001)}"`), [
    '12,001 characters',
    'shorten it to 12,000',
  ]),
  row('a line without end', slash('/smoke', 'x'.repeat(20_000)), ['20,000 characters', 'shorten it']),
]

function row(name: string, asked: Ask, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const parsed = parse(asked, commands)
      const text = parsed.kind === 'problem' ? parsed.text : ''
      const [observed = '', next = ''] = text.split(' Next: ')
      return { thing: 'command line', observed, next }
    },
  }
}
