import { describe, expect, it } from 'vitest'
import type { Failure, FailureKind } from '../../../src/domain/failure.ts'
import { failed } from '../../../src/judge/rules/failed.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { completionOf, evidenceOf, failureOf, requestOf, withSmoke } from '../samples.ts'

function check(failure: Failure, host: string | null = null, response = '') {
  const exchange = { url: '', request: '', status: 200, headers: {}, response, end: 'eof' }
  return failed.check(withSmoke({ completion: null, failure, exchange }, host))
}

describe('a failure means', () => {
  const table: readonly (readonly [FailureKind, string, string])[] = [
    ['refused', 'server.unreachable', 'unreachable'],
    ['dns', 'server.unreachable', 'unreachable'],
    ['reset', 'server.unreachable', 'unreachable'],
    ['forward-refused', 'server.unreachable', 'unreachable'],
    ['tls', 'server.unreachable', 'unreachable'],
    ['hostkey-changed', 'ssh.hostkey', 'unreachable'],
    ['ssh-auth', 'ssh.auth', 'unreachable'],
    ['auth-method', 'ssh.auth-alg', 'unreachable'],
    ['key-passphrase', 'ssh.key-passphrase', 'misconfigured'],
    ['key-format', 'ssh.key-format', 'misconfigured'],
    ['key-missing', 'ssh.key', 'misconfigured'],
    ['kex', 'ssh.algorithms', 'unreachable'],
    ['banned', 'ssh.dropped-preauth', 'unreachable'],
    ['not-ssh', 'ssh.unreachable', 'unreachable'],
    ['jump', 'ssh.jump', 'unreachable'],
    ['keepalive', 'server.unreachable', 'unreachable'],
    ['forward-prohibited', 'ssh.forward', 'misconfigured'],
    ['url', 'request.route', 'client-error'],
    ['headers-timeout', 'engine.hang', 'inconclusive'],
    ['stalled', 'stream.stalled', 'inconclusive'],
    ['cut', 'transport.truncated', 'inconclusive'],
    ['empty-body', 'transport.empty-body', 'inconclusive'],
    ['ended-early', 'stream.ended-without-finish', 'broken'],
    ['stream-error', 'engine.invariant', 'broken'],
    ['stopped', 'log.need-more', 'inconclusive'],
    ['bug', 'log.need-more', 'inconclusive'],
  ]
  it.each(table)('%s: %s, %s, in its own words', (kind, code, verdict) => {
    const cause = `target qwen: observed ${kind}.`
    expect(check(failureOf(kind))).toMatchObject([{ code, verdict, cause, remedy: ['look into the engine log'] }])
  })
})

describe('a failure is told as', () => {
  it('the host where the way to it failed, the server where the way ended behind it', () => {
    const ofHost = { ...failureOf('connect-timeout'), thing: 'host gpu-box-1 (10.0.0.5:22)' }
    expect(check(ofHost, 'gpu-box-1')).toMatchObject([{ code: 'ssh.timeout' }])
    expect(check({ ...ofHost, kind: 'dns' }, 'gpu-box-1')).toMatchObject([{ code: 'ssh.unreachable' }])
    expect(check({ ...ofHost, kind: 'refused' }, 'gpu-box-1')).toMatchObject([{ code: 'ssh.refused' }])
    expect(check({ ...ofHost, kind: 'lost' }, 'gpu-box-1')).toMatchObject([{ code: 'ssh.dropped-mid' }])
    expect(check({ ...ofHost, kind: 'keepalive' }, 'gpu-box-1')).toMatchObject([{ code: 'ssh.keepalive' }])
    expect(check(failureOf('reset'), 'gpu-box-1')).toMatchObject([{ code: 'server.unreachable' }])
    expect(check(ofHost, null)).toMatchObject([{ code: 'server.unreachable' }])
  })

  it('a cut where JSON ends in its middle', () => {
    expect(check(failureOf('not-json'), null, '{"id": "1", "choi')).toMatchObject([
      {
        code: 'transport.truncated',
        cause: 'target qwen: the answer ends in the middle of its JSON.',
        because: ['17 characters came; they end with “{"id": "1", "choi”'],
      },
    ])
  })

  it('nothing twice: what was observed is the cause, and no evidence beside it', () => {
    const unheard = withSmoke({ completion: null, failure: failureOf('refused'), exchange: null })
    expect(failed.check(unheard)).toMatchObject([{ cause: 'target qwen: observed refused.', because: [] }])
  })

  it('an empty body, streamed or not', () => {
    for (const stream of [true, false]) {
      const evidence = withSmoke({
        request: requestOf({ stream }),
        completion: null,
        failure: failureOf('empty-body'),
        exchange: { url: '', request: '', status: 200, headers: {}, response: '', end: 'empty-body' },
      })
      expect(rules.flatMap((rule) => rule.check(evidence))).toMatchObject([
        { code: 'transport.empty-body', verdict: 'inconclusive' },
      ])
    }
  })

  it('no status where none came', () => {
    const exchange = { url: '', request: '', status: 0, headers: {}, response: '', end: 'timeout' }
    const evidence = withSmoke({ completion: null, failure: failureOf('refused'), exchange })
    expect(failed.check(evidence)).toMatchObject([{ because: ['no HTTP status came'] }])
  })

  it('one piece as one piece', () => {
    const evidence = withSmoke({ completion: completionOf({ pieces: 1 }), failure: failureOf('stalled') })
    expect(failed.check(evidence)[0]?.because).toContain('1 piece had arrived')
  })

  it('with what had arrived', () => {
    const evidence = withSmoke({ completion: completionOf({ content: 'Sure, first' }), failure: failureOf('stalled') })
    expect(failed.check(evidence)).toMatchObject([
      {
        confidence: 'likely',
        because: ['10 pieces had arrived', 'reasoning: the server sent null', 'content: 11 characters'],
      },
    ])
  })
})

describe('is silent', () => {
  it.each([
    ['an answer', evidenceOf({})],
    ['a smoke without anything', withSmoke({ completion: null })],
    ['no smoke', { target: evidenceOf({}).target }],
    ['a refusal', withSmoke({ completion: null, failure: failureOf('http-status', { status: 500, body: '' }) })],
    ['an HTML page', withSmoke({ completion: null, failure: failureOf('not-json', { status: 200, body: '<html>' }) })],
    ['a stop by a person', withSmoke({ failure: failureOf('stopped'), stoppedBy: 'Ada' })],
    ['a whole answer in a mangled stream', withSmoke({ failure: failureOf('not-json') })],
    ['another program', withSmoke({ completion: null, failure: failureOf('not-stream') })],
  ])('%s', (_, evidence) => {
    expect(failed.check(evidence)).toEqual([])
  })
})
