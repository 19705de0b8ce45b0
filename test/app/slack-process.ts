import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { startSlack } from '../../src/lab/slack/index.ts'
import { COMPILED } from '../setup/compiled.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The bot as a process of its own, connected to a stand-in for Slack; both are gone with the test. */
export async function startProcess() {
  const slack = await startSlack({ port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-process-'))
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
    env: { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: COMPILED, ...tokens },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = text(child.stderr)
  const exit = once(child, 'exit')
  await slack.until(() => slack.connections() === 1, 9_000)
  return { slack, child, said, exit }
}
