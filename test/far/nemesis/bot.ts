import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fence } from '../../../src/domain/unit.ts'
import { restart, unit } from '../../../src/domain/verbs/index.ts'
import { random } from '../../random.ts'
import { newOp, verbsOver } from '../verbs-over.ts'
import { openLease } from './lease.ts'
import type { Orders, Said } from './said.ts'
import { LEASE_MS } from './said.ts'

// One replica of a bot, as a process of its own: lease, plan, think, restart, over and over. The first line of its
// standard input is its orders, the end of it is its end. It says what it does on standard output, as lines of JSON.

const { signal } = new AbortController()
const lines = createInterface(process.stdin)
const ended = new Promise<void>((resolve) => lines.once('close', resolve))
const orders: Orders = JSON.parse(await new Promise<string>((resolve) => lines.once('line', resolve)))
const { pool, ...verbs } = verbsOver([orders.gate.installed, orders.gate.quick])
const host = verbs.host(orders.by)
const lease = openLease(orders.store, orders.by, LEASE_MS)
const { below } = random(orders.seed)

let over = false
void ended.then(() => {
  over = true
})
while (!over) {
  if (lease.take()) {
    await turn()
    lease.drop()
  }
  await delay(30)
}
await verbs.close()
lease.close()

/** Restarts the unit if it runs. A lease does not outlast a process that was stopped while it thought. */
async function turn(): Promise<void> {
  const plan = await host.run(unit, { unit: 'slow' }, { signal })
  if (!plan.ok) throw new Error(JSON.stringify(plan.failure))
  const { fence } = plan.value.value
  if (fence?.seen.state !== 'active') return
  say({ said: 'planned' })
  await delay(below(200))
  const result = await (orders.fenced ? fenced(fence) : bare())
  say({ said: 'tried', run: fence.seen.invocation, result })
}

async function fenced(fence: Fence): Promise<string> {
  const ran = await host.run(restart, { unit: 'slow', fence }, { signal, op: newOp() })
  return ran.ok ? ran.value.value.state : ran.failure.kind
}

/** The same call of sudo as the gate's, and nothing before it. */
async function bare(): Promise<string> {
  const connection = await pool.connect('quick', signal)
  if (!connection.ok) return connection.failure.kind
  const line = 'sudo -n /usr/bin/systemctl --no-block restart slow.service'
  const { executed } = connection.value.exec({ line, stdin: '', deadlineMs: 20_000 }, signal)
  const ran = await executed
  if (!ran.ok) return ran.failure.kind
  const { end } = ran.value.run
  return end.how === 'exited' && end.code === 0 ? 'done' : JSON.stringify(end)
}

function say(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
