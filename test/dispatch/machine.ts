import type { Failure } from '../../src/domain/failure.ts'
import type { GateReply } from '../../src/domain/gate.ts'
import type { Host } from '../../src/domain/host.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import { reply, SHOW } from '../domain/verbs/replies.ts'

/** How the answer to the next change is lost: before the host heard of it, or after it had done it. */
type Loss = 'before' | 'after' | 'refused'

/** A machine with one unit behind the gate's own words: it counts what it did, and refuses what was planned for another state. */
export function machine(now: () => number) {
  const acts: string[] = []
  const asked: string[] = []
  const done = new Map<string, number>()
  const state = { generation: 12, run: 1, loss: null as Loss | null, deafTo: [] as readonly string[] }
  const token = () => `${state.generation}.active-${String(state.run).padStart(8, '0').padEnd(32, '0')}`

  /** By hand on the machine: another run, and nothing that the gate counted. */
  function restart(): void {
    state.run += 1
  }

  function answer(verb: string, words: readonly string[], op: string): Outcome<GateReply> {
    asked.push(verb)
    switch (verb) {
      case 'unit':
        return ok(reply({ unit: SHOW, fence: token(), variants: '' }))
      case 'ping':
        return ok(reply({ ping: 'uptime=12345.67\n' }))
      case 'restart':
        return change(words, op)
      case 'opstat': {
        const at = done.get(words[0] ?? '')
        return ok(reply({ op: at === undefined ? 'never' : `done restart qwen ${at} 0` }))
      }
      default:
        return failed(failure('gate-refused', `no verb ${verb} here`))
    }
  }

  function change([, fence]: readonly string[], op: string): Outcome<GateReply> {
    if (fence !== token()) return failed(failure('fence-stale', 'the unit is no longer as it was'))
    const loss = state.loss
    state.loss = null
    if (loss === 'before') return failed(failure('lost', 'the connection was lost'))
    if (loss === 'refused') return failed(failure('refused', 'connection refused'))
    restart()
    state.generation += 1
    acts.push(op)
    const at = Math.floor(now() / 1000)
    done.set(op, at)
    if (loss === 'after') return failed(failure('lost', 'the connection was lost'))
    return ok(reply({ act: `state=done\ngeneration=${state.generation}\nrc=0\nat=${at}\nsaid=\n` }))
  }

  const host: Host = {
    name: 'gpu1',
    async run(verb, args, { op }) {
      if (state.deafTo.includes(verb.name)) return failed(failure('connect-timeout', 'no answer'))
      const answered = answer(verb.name, verb.words(args), op ?? '')
      const read = answered.ok ? verb.parse(answered.value, args) : failed<never>(answered.failure)
      return read.ok ? ok({ value: read.value, tookMs: 1, shellMs: null, noise: '' }) : failed(read.failure)
    },
    follow: async () => failed(failure('bug', 'nobody follows here')),
  }
  return { host, acts, asked, state, restart, token }
}

function failure(kind: Failure['kind'], observed: string): Failure {
  return { kind, thing: 'host gpu1', observed, next: 'look there' }
}
