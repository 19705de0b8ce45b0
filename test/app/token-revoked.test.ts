import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from '../../src/lab/slack/index.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('an app token that is revoked while the bot runs ends it with status 1, and the token is named', async () => {
  const slack = await startSlack({ port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-revoked-'))
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
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  const said = text(child.stderr)
  const exit = once(child, 'exit')
  await slack.until(() => slack.connections() === 1, 9_000)
  slack.fault('apps.connections.open', { kind: 'error', error: 'token_revoked' }, 100)
  slack.disconnect('drop')
  expect(await exit).toEqual([1, null])
  expect(await said).toContain('app token (SLACK_APP_TOKEN): Slack says token_revoked. Next: make one with')
  expect(await said).not.toContain(slack.appToken)
}, 15_000)
