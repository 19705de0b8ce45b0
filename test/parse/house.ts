import { z } from 'zod'
import type { Ask, How, Said } from '../../src/domain/ask.ts'
import type { Command } from '../../src/domain/command.ts'
import { defineCommand } from '../../src/domain/command.ts'
import { report } from '../../src/domain/report.ts'

const done = async () => report({ tone: 'neutral', title: 'done', status: 'done' })

/** Commands of every shape that the grammar knows. */
export const commands: readonly Command[] = [
  defineCommand({
    word: 'smoke',
    verb: null,
    summary: 'ask and judge',
    usage: 'smoke "PROMPT"',
    access: 'read',
    takes: 'prompt',
    flags: [
      { name: 'target', kind: 'name', value: 'NAME', help: '' },
      { name: 'max-tokens', kind: 'number', value: 'N', help: '' },
      { name: 'no-stream', kind: 'switch', value: '', help: '' },
      { name: 'on', kind: 'names', value: 'NAME,NAME', help: '' },
    ],
    args: z.object({
      prompt: z.string().nullable(),
      maxTokens: z.coerce.number({ error: 'a number is wanted' }).optional(),
    }),
    run: done,
  }),
  defineCommand({
    word: 'smoke',
    verb: 'why',
    summary: 'the last verdict again',
    usage: 'smoke why',
    access: 'read',
    takes: 'nothing',
    args: z.object({}),
    run: done,
  }),
  defineCommand({
    word: 'gpu',
    verb: 'status',
    summary: 'all cards',
    usage: 'gpu status [HOST…]',
    access: 'read',
    takes: 'words',
    flags: [{ name: 'sort', kind: 'text', value: 'COLUMN', help: '' }],
    args: z.object({ words: z.array(z.string()) }),
    run: done,
  }),
  defineCommand({
    word: 'gpu',
    verb: 'reset',
    summary: 'a card',
    usage: 'gpu reset',
    access: 'operate',
    takes: 'nothing',
    args: z.object({}),
    run: done,
  }),
  defineCommand({
    word: 'retry',
    verb: null,
    summary: 'once more',
    usage: 'retry [max_tokens=N]',
    access: 'read',
    takes: 'nothing',
    flags: [{ name: 'max-tokens', kind: 'number', value: 'N', help: '' }],
    args: z.object({}),
    run: done,
  }),
]

export function ask(how: How, said: Said): Ask {
  return {
    id: 'ask-1',
    how,
    said,
    person: { team: 'T1', id: 'U1', name: 'dana', kind: 'member' },
    place: { channel: 'C1', thread: null },
    attempt: null,
    at: 0,
  }
}

export function slash(word: string, text: string): Ask {
  return ask('slash', { form: 'plain', word, text })
}

export function mention(text: string): Ask {
  return ask('mention', { form: 'encoded', text: `<@U000BOT> ${text}` })
}

export function reply(text: string): Ask {
  return ask('thread', { form: 'encoded', text })
}

export function typed(...words: readonly string[]): Ask {
  return ask('terminal', { form: 'words', words })
}
