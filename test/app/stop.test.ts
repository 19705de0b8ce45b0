import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from '../../src/lab/slack/index.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('SIGTERM while Slack thinks about apps.connections.open ends the process soon, with status 0', async () => {
  const slack = await startSlack({ port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-stop-'))
  await writeFile(join(folder, 'pilotflame.yml'), 'targets:\n  t1: { url: http://127.0.0.1:9 }\n')
  onTestFinished(async () => {
    await slack.close()
    await rm(folder, { recursive: true })
  })
  const redirect = `data:text/javascript,${encodeURIComponent(`
    const { fetch } = globalThis
    globalThis.fetch = (url, init) => fetch(String(url).replace('https://slack.com/api/', '${slack.apiUrl}'), init)`)}`
  const tokens = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken }
  const child = spawn(process.execPath, ['--import', redirect, main], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...tokens },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  await slack.until(() => slack.connections() === 1, 9_000)
  slack.fault('apps.connections.open', { kind: 'slow', ms: 60_000 })
  slack.disconnect('drop')
  await slack.until(() => slack.calls().filter(({ method }) => method === 'apps.connections.open').length === 2)
  const from = performance.now()
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  // of its own 10 s for a call nothing is waited for
  expect(performance.now() - from).toBeLessThan(2_000)
}, 15_000)
