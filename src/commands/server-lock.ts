import { z } from 'zod'
import type { Command, Flag } from '../domain/command.ts'
import { defineCommand, defineTargetCommand } from '../domain/command.ts'
import { lock, unlock } from './lock/change.ts'
import { listLocks } from './lock/list.ts'

const TARGET: Flag = { name: 'target', kind: 'name', value: 'NAME', help: 'the model server' }

/** `/sglang lock qwen measuring until five`: nobody else may change it; looking stays allowed. */
const take = defineTargetCommand({
  word: 'sglang',
  verb: 'lock',
  summary: 'Lock a model server against changes by others, with a reason',
  usage: 'sglang lock [TARGET] REASON',
  examples: ['sglang lock qwen measuring until five', 'sglang lock "measuring until five"'],
  access: 'operate',
  needsMention: true,
  where: 'chat',
  targetFirst: true,
  takes: 'reason',
  flags: [TARGET],
  args: z.object({ prompt: z.string().nullable() }),
  run: ({ prompt }, tools) => lock({ kind: 'target', name: tools.target.name }, prompt, tools),
})

const drop = defineTargetCommand({
  word: 'sglang',
  verb: 'unlock',
  summary: 'Take the lock off a model server, also another’s',
  usage: 'sglang unlock [TARGET]',
  examples: ['sglang unlock qwen'],
  access: 'operate',
  needsMention: true,
  where: 'chat',
  targetFirst: true,
  takes: 'words',
  flags: [TARGET],
  args: z.object({ words: z.array(z.string()).max(1, 'at most one target is wanted') }),
  run: (_given, tools) => unlock({ kind: 'target', name: tools.target.name }, tools),
})

const list = defineCommand({
  word: 'sglang',
  verb: 'locks',
  summary: 'List what is locked, by whom, why and since when',
  usage: 'sglang locks',
  access: 'read',
  readsRecords: true,
  takes: 'nothing',
  args: z.object({}),
  run: (_given, tools) => listLocks(tools),
})

/** Locks of model servers. */
export const serverLocks: readonly Command[] = [take, drop, list]
