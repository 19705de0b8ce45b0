import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createGate } from '../../src/lab/box-gate.ts'
import { never } from '../adapters/tidy.ts'
import { shows, tried, unitWorld } from './gate-unit.ts'
import type { Answer } from './gate-world.ts'
import { answerIn, GATE, newOp, skips } from './gate-world.ts'

const [OLD, GONE, LOST] = [newOp(), newOp(), newOp()]

/** Lines as a client sends them, in this order. `FENCE` is what the demo's gate gives at that moment. */
const LINES: readonly (readonly [verb: string, words: string, op?: string])[] = [
  ['unit', 'main'],
  ['unit', 'nobody'],
  ['unit', 'main more'],
  ['unit', '.main'],
  ['opstat', 'x'],
  ['restart', 'main FENCE', OLD],
  ['restart', 'main FENCE', OLD],
  ['restart', 'main 0.stopped', OLD],
  ['stop', 'main FENCE', OLD],
  ['opstat', OLD],
  ['restart', 'main 0.stopped'],
  ['restart', 'main 01.stopped'],
  ['restart', 'main 1.active'],
  ['restart', 'main 1.stopped'],
  ['restart', 'main FENCE more'],
  ['restart', 'nobody FENCE'],
  ['opstat', GONE],
  ['restart', 'main FENCE', GONE],
  ['opstat', GONE],
  ['stop', 'main FENCE'],
  ['unit', 'main'],
  ['restart', 'main 2.loop'],
  ['stop', 'main 3.loop'],
  ['start', 'main 4.starting'],
  ['start', 'main FENCE'],
  ['reset-failed', 'main FENCE'],
  ['unit', 'main'],
  ['restart', '-main 1.stopped'],
  ['restart', 'main;id 1.stopped'],
  ['opstat', LOST],
]

/** What both must say: the status, and every section but the unit's own. */
function told({ rc, sections }: Answer) {
  const { unit: _, ...rest } = sections
  const texts = Object.entries(rest).map(([name, { rc: status, text }]) => [name, status, text.trimEnd()])
  return JSON.stringify([rc, texts])
    .replaceAll(/(?<=at=|restart main )\d{10}/g, 'AT')
    .replaceAll(/(?<=usage ).*?(?=")/g, 'WHY')
}

describe.skipIf(tried.some(({ reason }) => skips(reason)))('the demo’s gate and the real one', () => {
  const [{ reason, shell } = { reason: 'no shell', shell: null }] = tried

  test('say the same to the same lines', async () => {
    if (shell === null) throw new Error(reason ?? '')
    const world = await unitWorld(reason)
    const demo = createGate()
    const ask = async (line: string, op: string) => {
      const { stdout = '', end } = await demo.exec(`/bin/sh -s -- ${line}`, '', never)
      return { raw: String(stdout), code: end.how === 'exited' ? end.code : null, op }
    }
    const unitNow = async () => {
      const { raw } = await ask(`unit ${OLD} main`, OLD)
      const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(raw)?.[1] ?? ''
      await shows(world, {
        state: value('ActiveState'),
        sub: value('SubState'),
        run: value('InvocationID'),
        since: 100,
      })
      return /^\d+\.(?:stopped|active-[0-9a-f]{32})$/m.exec(raw)?.[0] ?? ''
    }
    for (const [verb, words, op = newOp()] of LINES) {
      const line = `${verb} ${op} ${words.replace('FENCE', await unitNow())}`
      const [made, real] = [await ask(line, op), await world.installed(shell, `/bin/sh -s -- ${line}`)]
      if (real.code === 126) expect(made.raw, line).toBe(real.stdout)
      else {
        const whole = answerIn({ stdout: made.raw, stderr: '', code: made.code }, op)
        expect(told(whole), line).toBe(told(answerIn(real, op)))
      }
    }
    expect(demo.acts().map(({ verb }) => verb)).toEqual([
      'restart',
      'stop',
      'restart',
      'stop',
      'start',
      'start',
      'reset-failed',
    ])
  })

  test('tell the same properties of a unit', async () => {
    const script = await readFile(GATE, 'utf8')
    const asked = [...script.matchAll(/^ {2}properties=(?:\$properties,)?(\S+)$/gm)].flatMap(([, list = '']) =>
      list.split(','),
    )
    const { stdout = '' } = await createGate().exec(`units ${OLD}`, '', never)
    const given = [...String(stdout).matchAll(/^(\w+)=/gm)].map(([, key]) => key)
    expect(asked.length).toBeGreaterThan(20)
    expect(given.toSorted()).toEqual(asked.toSorted())
  })
})
