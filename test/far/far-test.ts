import { join } from 'node:path'
import { test as base, inject } from 'vitest'
import type { FarSide, Part } from '../setup/far-side.ts'
import type { Box, BoxPlan } from './box/box.ts'
import { startBox } from './box/box.ts'
import type { Gate } from './box/install.ts'
import { install } from './box/install.ts'
import type { Pair } from './box/pair.ts'
import { startPair } from './box/pair.ts'
import type { LlamaServer, More } from './engine/llama-server.ts'
import { startLlamaServer } from './engine/llama-server.ts'
import type { ModelName } from './engine/models/index.ts'
import type { House } from './house.ts'
import { openHouse } from './house.ts'
import type { Sshd } from './sshd.ts'
import { startSshd } from './sshd.ts'

interface Fixtures {
  /** starts a real llama-server with one of our models; it stops with the test */
  readonly serve: (model: ModelName, pace?: 'lifelike' | 'full', more?: More) => Promise<LlamaServer>
  /** starts a real sshd; `lines` win over the usual configuration */
  readonly sshd: (lines?: readonly string[]) => Promise<Sshd>
  /** the product over such an sshd */
  readonly house: House
  /** starts a machine of its own; it stops with the test */
  readonly startBox: (plan?: BoxPlan) => Promise<Box>
  /** the machine that all tests of the file share, with a real engine where there is one */
  readonly box: Box
  /** the ways into `box` once deploy/host/setup has run in it */
  readonly gate: Gate
  /** a container behind a jump host; it stops with the test */
  readonly pair: Pair
}

interface FileFixtures {
  readonly farSide: FarSide
  /** boots it when it is first asked for */
  readonly boxOfFile: () => Promise<Box>
  readonly gateOfFile: () => Promise<Gate>
}

/** A test against real programs. It is skipped, or fails where the far side is required, with the reason. */
export const test = base.extend<Fixtures & FileFixtures>({
  async serve({ skip }, use) {
    const { program, models } = needed(inject('farSide').engine, skip)
    const running: LlamaServer[] = []
    await use(async (model, pace = 'full', more = {}) => {
      const server = await startLlamaServer({
        program,
        model: join(models, `${model}.gguf`),
        paced: pace === 'lifelike',
        more,
      })
      running.push(server)
      return server
    })
    await Promise.all(running.map((server) => server.stop()))
  },
  async sshd({ skip }, use) {
    needed(inject('farSide').sshd, skip)
    const running: Sshd[] = []
    await use(async (lines) => {
      const sshd = await startSshd(lines)
      running.push(sshd)
      return sshd
    })
    await Promise.all(running.map((sshd) => sshd.stop()))
  },
  async house({ sshd }, use) {
    const house = openHouse((await sshd()).host)
    await use(house)
    await house.close()
  },
  async startBox({ skip }, use) {
    needed(inject('farSide').systemd, skip)
    const running: Box[] = []
    await use(async (plan) => {
      const box = await startBox(plan)
      running.push(box)
      return box
    })
    await Promise.all(running.map((box) => box.stop()))
  },
  farSide: [inject('farSide'), { scope: 'file' }],
  boxOfFile: [
    async ({ farSide: { engine } }, use) => {
      const box = once(() => startBox({ engine: engine.there ? engine.it : null }))
      await use(box.get)
      await box.made()?.then(({ stop }) => stop())
    },
    { scope: 'file' },
  ],
  gateOfFile: [({ boxOfFile }, use) => use(once(async () => install(await boxOfFile())).get), { scope: 'file' }],
  async box({ boxOfFile, skip }, use) {
    needed(inject('farSide').systemd, skip)
    await use(await boxOfFile())
  },
  async gate({ gateOfFile, skip }, use) {
    needed(inject('farSide').systemd, skip)
    await use(await gateOfFile())
  },
  async pair({ skip }, use) {
    needed(inject('farSide').systemd, skip)
    const pair = await startPair()
    await use(pair)
    await pair.stop()
  },
})

function needed<T>(part: Part<T>, skip: (note: string) => never): T {
  if (part.there) return part.it
  if (inject('farSide').required) throw new Error(`PILOTFLAME_FARSIDE=require, but ${part.why}`)
  return skip(part.why)
}

/** Makes a thing when it is first asked for, and once. */
function once<T>(make: () => Promise<T>) {
  let made: Promise<T> | null = null
  return {
    get(): Promise<T> {
      made ??= make()
      return made
    },
    made: () => made,
  }
}
