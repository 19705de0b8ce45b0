import { text } from 'node:stream/consumers'
import { expect, vi } from 'vitest'
import { log, ping, unit } from '../../src/domain/verbs/index.ts'
import { never, valueIn } from '../adapters/tidy.ts'
import { test } from './far-test.ts'
import { look, show } from './furnished.ts'
import { verbsOver } from './verbs-over.ts'

const PORT = 30_000

/** Answers as a model server would, on the container's own loopback only. */
const MODEL = `[Service]
ExecStart=${process.execPath} -e "require('http').createServer((q, r) => r.end('model of the container')).listen(${PORT}, '127.0.0.1')"
`

test('a container behind a jump host: verbs and the port of its model', async ({ pair: { jump, inner, box } }) => {
  await box.disk.write('/etc/systemd/system/model.service', MODEL)
  await look(box, 'systemctl daemon-reload; systemctl start model')
  await vi.waitFor(() => look(box, `ss -H -ltn | grep -q ':${PORT} '`), 8000)
  const verbs = verbsOver([jump, inner])
  const host = verbs.host(inner.name)
  const call = { signal: never }
  const facts = valueIn(await host.run(ping, {}, call)).value
  expect(facts).toMatchObject({ user: 'operator', hostName: box.name, sudo: false })
  const { state } = valueIn(await host.run(unit, { unit: 'sglang.service' }, call)).value
  expect(state).toMatchObject({ activeState: 'active', mainPid: Number(await show(box, 'sglang', 'MainPID')) })
  const { lines } = valueIn(await host.run(log, { unit: 'sglang.service', lines: 50 }, call)).value
  expect(lines.map((line) => line.text)).toContain('serving healthy')
  const tunnel = valueIn(await verbs.pool.dial(inner.name, '127.0.0.1', PORT, never))
  tunnel.write('GET / HTTP/1.0\r\n\r\n')
  expect(await text(tunnel)).toMatch(/^HTTP\/1\.1 200 .*model of the container$/s)
  await verbs.close()
})
