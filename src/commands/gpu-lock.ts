import { z } from 'zod'
import type { Command, Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import { lock, unlock } from './lock/change.ts'
import { listLocks } from './lock/list.ts'

/** `/gpu lock gpu-box-1 new driver`: nobody else may change the host, or any model server on it. */
const take = defineCommand({
  word: 'gpu',
  verb: 'lock',
  summary: 'Lock a host and all model servers on it against changes by others, with a reason',
  usage: 'gpu lock HOST REASON',
  examples: ['gpu lock gpu-box-1 new driver'],
  access: 'operate',
  needsMention: true,
  where: 'chat',
  takes: 'reason',
  args: z.object({ prompt: z.string().nullable() }),
  async run({ prompt }, tools) {
    const [, name = '', reason = ''] = /^(\S+)\s*([\s\S]*)$/.exec(prompt ?? '') ?? []
    return noHost(name, 'gpu lock HOST REASON', tools) ?? lock({ kind: 'host', name }, reason, tools)
  },
})

const drop = defineCommand({
  word: 'gpu',
  verb: 'unlock',
  summary: 'Take the lock off a host, also another’s',
  usage: 'gpu unlock HOST',
  examples: ['gpu unlock gpu-box-1'],
  access: 'operate',
  needsMention: true,
  where: 'chat',
  takes: 'words',
  args: z.object({ words: z.array(z.string()).max(1, 'at most one host is wanted') }),
  async run({ words: [name = ''] }, tools) {
    return noHost(name, 'gpu unlock HOST', tools) ?? unlock({ kind: 'host', name }, tools)
  },
})

const list = defineCommand({
  word: 'gpu',
  verb: 'locks',
  summary: 'List what is locked, by whom, why and since when',
  usage: 'gpu locks',
  access: 'read',
  readsRecords: true,
  takes: 'nothing',
  args: z.object({}),
  run: (_given, tools) => listLocks(tools),
})

/** Locks of hosts. */
export const hostLocks: readonly Command[] = [take, drop, list]

/** Who may use none of its targets here has no say over a host. */
function noHost(name: string, usage: string, { host, targets, typed }: Tools): Report | null {
  if (name === '') return refusal(`No host is named. Next: ${typed(usage)}`, 'usage')
  if (host(name) !== null && targets.some((one) => one.host === name)) return null
  return refusal(
    `There is no host “${excerpt(name, 64)}” with a target that may be used here. Next: ${typed(usage)}`,
    'usage',
  )
}
