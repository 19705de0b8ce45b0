import type { HostSettings, Target } from '../domain/target.ts'
import { startBox } from './box.ts'
import type { DemoGate } from './box-gate.ts'
import { createGate } from './box-gate.ts'
import { DEEDS } from './field-story/deeds.ts'
import { heard } from './field-story/heard.ts'
import { fieldBox } from './field-story/machine.ts'
import { MODEL, PORT } from './field-story/setting.ts'
import type { ModelServer } from './model-server.ts'
import { startModelServer } from './model-server.ts'
import { hung, miscomputed, overthink } from './stories.ts'
import type { Team } from './team.ts'

/** The field story on a box of its own, from its first failed start to the working model. */
export interface FieldStory {
  readonly host: HostSettings
  readonly target: Target
  readonly gate: DemoGate
  /** what its team does past the chat, one deed after another */
  readonly team: Omit<Team, 'restart' | 'proof'>
  close(): Promise<void>
}

interface FieldStoryOptions {
  /** how fast its model talks */
  readonly tokensPerSecond?: number
  /** how long the product waits for a word of it, in ms */
  readonly patienceMs?: number
}

/** Starts it on free ports of 127.0.0.1. */
export async function startFieldStory({
  tokensPerSecond = 120,
  patienceMs = 5000,
}: FieldStoryOptions = {}): Promise<FieldStory> {
  let isProved = false
  const proved = heard(overthink, () => {
    isProved = true
  })
  const servers = {
    '0.5.9': await startModelServer({ story: miscomputed, model: MODEL, version: '0.5.9', tokensPerSecond }),
    '0.5.11': await startModelServer({ story: proved, model: MODEL, version: '0.5.11', tokensPerSecond }),
  }
  const box = fieldBox(() => {
    for (const server of Object.values(servers)) server.hangUp()
    servers['0.5.9'].setStory(box.serving()?.works === true ? miscomputed : hung)
  })
  const listens = (): ModelServer | null => {
    const serving = box.serving()
    return serving === null ? null : servers[serving.version]
  }
  const gate = createGate({ units: [NAME], machine: box.machine })
  // its first start failed a moment ago, not when the box was started
  gate.byHand(NAME, 'restart')
  const door = await startBox({
    exec: gate.exec,
    permit: (address, port) => address === '127.0.0.1' && port === PORT,
    led: () => listens()?.port ?? null,
  })
  const host: HostSettings = {
    name: box.machine.host,
    address: '127.0.0.1',
    port: door.port,
    user: door.user,
    key: { from: 'text', text: door.privateKey, passphrase: null },
    trust: { from: 'pinned', keys: [door.hostKeyLine] },
    jump: null,
    gate: null,
  }
  let done = 0
  return {
    host,
    target: targetOn(host, patienceMs),
    gate,
    team: {
      target: NAME,
      isDue: box.isDue,
      // only the last deed lets the version start that can answer
      isProved: () => isProved,
      next: () => DEEDS[done]?.label ?? null,
      act() {
        const deed = DEEDS[done]
        if (deed === undefined) return null
        done += 1
        deed.act(box)
        if (deed.starts) gate.byHand(NAME, 'restart')
        return deed.said
      },
    },
    async close() {
      await Promise.all([door.close(), ...Object.values(servers).map((server) => server.close())])
    },
  }
}

const NAME = 'field'

function targetOn(host: HostSettings, patienceMs: number): Target {
  return {
    name: NAME,
    engine: null,
    url: `http://127.0.0.1:${PORT}`,
    host: host.name,
    model: null,
    apiKey: null,
    budget: 2000,
    patienceMs,
    ca: null,
    proxy: null,
    protected: false,
    unit: NAME,
  }
}
