/**
 * A process of its own for the store's tests: `node store-child.ts hold|write|fill PATH`.
 * hold: opens it, says so and waits · write: adds attempts and prints each id once it is acknowledged, until killed
 * fill: adds audits until one is refused, prints why, deletes PATH's ballast and goes on
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import type { Store } from '../../src/domain/store.ts'
import { AUDIT, attempt } from '../contract/store-samples.ts'

const [deed, path = ''] = process.argv.slice(2)
const opened = await openStore({ path, redact: (text) => text })
if (!opened.ok) {
  console.log(JSON.stringify(opened.failure))
  process.exit(75)
}
if (deed === 'write') await write(opened.value)
if (deed === 'fill') await fill(opened.value)
if (deed === 'hold') {
  console.log('held')
  setInterval(() => undefined, 60_000)
}

async function write(store: Store): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${process.pid}-${n}`
    const added = await store.addAttempt(attempt({ id }))
    if (!added.ok) throw new Error(added.failure.observed)
    process.stdout.write(`${id}\n`)
    await new Promise(setImmediate)
  }
}

async function fill(store: Store): Promise<void> {
  const entry = { ...AUDIT, result: 'x'.repeat(10_000) }
  for (;;) {
    const added = await store.addAudit(entry)
    if (added.ok) continue
    console.log(added.failure.observed)
    break
  }
  const read = await store.audits(1)
  rmSync(join(path, '..', 'ballast'))
  const again = await store.addAudit(entry)
  console.log(
    read.ok && read.value.length === 1 ? 'reads' : 'does not read',
    again.ok ? 'writes again' : again.failure.observed,
  )
  await store.close()
}
