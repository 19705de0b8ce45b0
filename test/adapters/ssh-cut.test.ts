import type { Socket } from 'node:net'
import { expect, test } from 'vitest'

import { sectionOf } from '../../src/domain/gate.ts'
import { ok } from '../../src/domain/outcome.ts'
import type { Verb } from '../../src/domain/verb.ts'
import { random, seedOf } from '../random.ts'
import { box, frame, hostOf, poolFor, relayTo, settingsFor } from './ssh-box.ts'
import { kindOf, never } from './tidy.ts'

const look: Verb<null, number> = {
  name: 'look',
  access: 'read',
  deadlineMs: 5_000,
  words: () => [],
  parse: (reply) => ok(sectionOf(reply, 'look')?.text.length ?? 0),
}

const CASES = 100
/** the answer is larger than all of the login, so that most cuts fall into it */
const LENGTH = 60_000

test(`a way that is cut after any number of bytes is a failure that is named (${CASES} random places)`, async () => {
  const seed = seedOf('SEED', 4)
  const { below } = random(seed)
  let asked = 0
  const made = await box({
    exec(command) {
      asked += 1
      return { stdout: frame(command, { look: 'x'.repeat(LENGTH) }), end: { how: 'exited', code: 0 } }
    },
  })
  let cut = Number.POSITIVE_INFINITY
  let reset = false
  let most = 0
  const relay = await relayTo(made.port, (near, far) => {
    near.pipe(far)
    let passed = 0
    far.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, cut - passed)
      passed += part.length
      most = Math.max(most, passed)
      near.write(part)
      if (passed >= cut) end(near, reset)
    })
    far.on('end', () => near.end())
  })
  const once = async () => {
    const pool = poolFor([settingsFor(made, { port: relay.port })], { dialMs: 2_000 })
    const ran = await hostOf(pool).run(look, null, { signal: never })
    await pool.close()
    return ran
  }
  expect(await once()).toMatchObject({ ok: true, value: { value: LENGTH } })
  const kinds = new Map<string, number>()
  const whole = most
  for (let index = 0; index < CASES; index += 1) {
    // the last bytes close the channel: by then the whole answer is there
    cut = below(whole - 1_000)
    reset = below(2) === 0
    asked = 0
    const kind = kindOf(await once())
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    expect({ seed, cut, reset, asked: asked <= 2, kind }).toMatchObject({
      asked: true,
      kind: expect.stringMatching(/^(?:lost|reset|banned|not-ssh|kex)$/),
    })
  }
  expect(kinds.get('lost')).toBeGreaterThan(CASES / 2)
}, 60_000)

function end(socket: Socket, reset: boolean): void {
  if (reset) socket.resetAndDestroy()
  else socket.end()
}
