import { join } from 'node:path'
import { test as base, inject } from 'vitest'
import type { Part } from '../setup/far-side.ts'
import type { LlamaServer } from './engine/llama-server.ts'
import { startLlamaServer } from './engine/llama-server.ts'
import type { ModelName } from './engine/models/index.ts'
import type { House } from './house.ts'
import { openHouse } from './house.ts'
import type { Sshd } from './sshd.ts'
import { startSshd } from './sshd.ts'

interface Fixtures {
  /** starts a real llama-server with one of our models; it stops with the test */
  readonly serve: (model: ModelName, pace?: 'lifelike' | 'full') => Promise<LlamaServer>
  /** starts a real sshd; `lines` win over the usual configuration */
  readonly sshd: (lines?: readonly string[]) => Promise<Sshd>
  /** the product over such an sshd */
  readonly house: House
}

/** A test against real programs. It is skipped, or fails where the far side is required, with the reason. */
export const test = base.extend<Fixtures>({
  async serve({ skip }, use) {
    const { program, models } = needed(inject('farSide').engine, skip)
    const running: LlamaServer[] = []
    await use(async (model, pace = 'full') => {
      const server = await startLlamaServer({
        program,
        model: join(models, `${model}.gguf`),
        paced: pace === 'lifelike',
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
})

function needed<T>(part: Part<T>, skip: (note: string) => never): T {
  if (part.there) return part.it
  if (inject('farSide').required) throw new Error(`PILOTFLAME_FARSIDE=require, but ${part.why}`)
  return skip(part.why)
}
