import { afterEach } from 'vitest'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { reacher } from '../../src/app/reach.ts'
import type { Report } from '../../src/domain/report.ts'
import type { Role } from '../../src/domain/role.ts'
import type { ModelServer, ModelServerOptions } from '../../src/lab/model-server.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import * as stories from '../../src/lab/stories.ts'
import { CHANNEL, openHouse, target } from './house.ts'

export const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }
export const there = { how: 'mention', place: THREAD } as const

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

interface Given extends Partial<ModelServerOptions> {
  readonly role?: Role
  /** a second target, healthy */
  readonly spare?: boolean
}

/** A house before model servers of the lab, over real HTTP. */
export async function lab({ role, spare = false, ...options }: Given = {}) {
  const server = await startModelServer({ story: stories.immediateEos, version: '0.5.9', ...options })
  closing.push(() => server.close())
  const other = spare ? await startModelServer({ story: stories.healthy }) : null
  if (other !== null) closing.push(() => other.close())
  const ssh = sshPool([], { clock: systemClock, log: SILENT })
  closing.push(() => ssh.close())
  const way = reacher(ssh, SILENT)
  closing.push(() => way.close())
  const at = (name: string, { url }: ModelServer) => ({
    ...target(name),
    url,
    patienceMs: 5_000,
    engine: options.engine ?? ('sglang' as const),
  })
  const targets = [at('qwen', server), ...(other === null ? [] : [at('spare', other)])]
  const operators = role === 'operator' ? ['T0:U0ANNA'] : []
  const roles = { admins: [], operators, adminGroups: [], operatorGroups: [] }
  const policy = { roles, channels: [{ id: CHANNEL, targets: [], target: 'qwen' }] }
  return { server, ...(await openHouse({ targets, reach: way.reach, policy })) }
}

export const rowsOf = (report: Report | undefined) => report?.tables[0]?.rows ?? []
export const chats = (server: ModelServer) => server.requests().filter(({ method }) => method === 'POST').length
