import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import { expect, onTestFinished, test } from 'vitest'

import type { Dial } from '../../src/adapters/http-dial.ts'
import { tlsWords } from '../../src/adapters/http-tls.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { listening, replyJson, serve, silent } from './http-server.ts'
import { hostAt, sshd } from './ssh-server.ts'
import { closeLater, failureIn, keep, never, open } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const

/**
 * Certificates of one key: for the name gpu-box.example; for 127.0.0.1 until 2021; for 127.0.0.1 from 2090 on. The `signed`
 * ones are authority.crt's, whose key is gone: for 127.0.0.1 until 2120, for it until 2021, and for gpu-box.example.
 */
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/tls', name), 'utf8')

const tls = (cert: string) =>
  keep(listening(createServer({ key: fixture('server.key'), cert }, (_, response) => replyJson(response, {}))))

const failureAt = async (url: string, ca: string | null = null) => failureIn(await open(url, { ca }).json(GET, never))

/** As NODE_EXTRA_CA_CERTS does. */
function trust(cert: string): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
}

test.for([
  ['self-signed', 'other-name.crt', false, 'self-signed', 'NODE_EXTRA_CA_CERTS'],
  ['for another name', 'other-name.crt', true, 'for another name', 'write the name into the URL'],
  ['expired', 'expired.crt', true, 'has expired', 'renew it'],
  ['not yet valid', 'not-yet.crt', true, 'not valid yet', 'clock'],
] as const)('a certificate that is %s', async ([, name, trusted, observed, next]) => {
  const { port } = await tls(fixture(name))
  if (trusted) trust(fixture(name))
  const failure = await failureAt(`https://127.0.0.1:${port}`)
  expect(failure).toMatchObject({
    kind: 'tls',
    observed: expect.stringContaining(observed),
    next: expect.stringContaining(next),
  })
})

test('a server of our own authority is believed, directly and through the host, and others still by the public ones', async () => {
  const ca = fixture('authority.crt')
  const { port } = await tls(fixture('signed.crt'))
  const box = await keep(sshd())
  const ssh = sshPool([hostAt({ port: box.port })], { clock: { now: () => 0, monotonic: () => 0 }, log: silent })
  closeLater(ssh)
  const dial: Dial = (address, at, signal) => ssh.dial('box', address, at, signal)
  for (const host of ['127.0.0.1', 'localhost']) {
    for (const way of [{ ca }, { ca: `${fixture('not-yet.crt')}\n${ca}` }, { ca, dial }]) {
      expect(await open(`https://${host}:${port}`, way).json(GET, never)).toMatchObject({ ok: true })
    }
  }
  trust(fixture('other-name.crt'))
  const elsewhere = await tls(fixture('other-name.crt'))
  expect((await failureAt(`https://127.0.0.1:${elsewhere.port}`, ca)).observed).toContain('for another name')
})

test.for([
  [
    'of another authority',
    'signed.crt',
    'other-name.crt',
    'neither an authority in the file of its ca nor a public one',
  ],
  ['that vouches for itself', 'other-name.crt', 'authority.crt', 'neither an authority in the file of its ca nor'],
  ['that has expired', 'signed-expired.crt', 'authority.crt', 'has expired'],
  ['for another name', 'signed-other-name.crt', 'authority.crt', 'for another name'],
  ['that is not valid yet', 'not-yet.crt', 'not-yet.crt', 'not valid yet'],
] as const)('a certificate %s is refused beside an authority of our own', async ([, cert, ca, observed]) => {
  const { port } = await tls(fixture(cert))
  const failure = await failureAt(`https://127.0.0.1:${port}`, fixture(ca))
  expect(failure).toMatchObject({ kind: 'tls', observed: expect.stringContaining(observed) })
  expect(failure.thing).toBe(`target qwen (https://127.0.0.1:${port})`)
  expect(failure.next.includes('that ca names')).toBe(observed.includes('of its ca'))
})

test('without an authority of our own the next step names the setting', async () => {
  const { port } = await tls(fixture('signed.crt'))
  expect(await failureAt(`https://127.0.0.1:${port}`)).toMatchObject({
    kind: 'tls',
    observed: expect.stringContaining('an authority that is not known here'),
    next: expect.stringContaining('ca: FILE at the target'),
  })
})

test('https where plain HTTP is spoken, and the other way round', async () => {
  const plain = await keep(serve((_, response) => replyJson(response, {})))
  expect(await failureAt(`https://127.0.0.1:${plain.port}`)).toMatchObject({
    kind: 'tls',
    observed: 'what answers there speaks no TLS',
    next: expect.stringContaining('write http:// in the URL'),
  })
  const { port } = await tls(fixture('other-name.crt'))
  expect((await failureAt(`http://127.0.0.1:${port}`)).next).toContain('write https:// in the URL')
})

test.for([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'self-signed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', 'an authority that is not known here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate', 'an authority that is not known'],
  ['EPROTO', 'write EPROTO 40:error:0A00010B:SSL routines:x:wrong version number:x.c:77:', 'speaks no TLS'],
  [
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    '40:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:x.c:918:SSL alert number 70',
    'no TLS connection (tlsv1 alert protocol version)',
  ],
  ['ERR_TLS_X', 'something else', 'no TLS connection (something else)'],
] as const)('%s in plain words', ([code, message, observed]) => {
  expect(tlsWords(code, message).observed).toContain(observed)
})
