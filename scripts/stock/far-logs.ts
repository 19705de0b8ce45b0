import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Box } from '../../test/far/box/box.ts'
import { startBox } from '../../test/far/box/box.ts'
import { ssh } from '../../test/far/box/ssh-client.ts'
import { modelFile } from '../../test/far/engine/models/index.ts'
import { provideEngine } from '../../test/far/engine/provide.ts'
import type { Text } from './collect.ts'

/** Lines of a log that are judged together, as somebody pastes them. */
const LINES = 40

/**
 * What systemd, sshd and a real llama-server write on a machine of its own while nothing is wrong: a start, logins,
 * requests, an ordered restart. Needs root and systemd; throws with the reason where it cannot run.
 */
export async function farLogs(tell: (line: string) => void): Promise<readonly Text[]> {
  const models = await mkdtemp(join(tmpdir(), 'pilotflame-models-'))
  try {
    const places = { cache: resolve('cache'), mirror: null, archive: null, only: null, limitMs: 90_000 }
    const { program } = await provideEngine(places, tell)
    await writeFile(join(models, 'healthy.gguf'), modelFile('healthy'))
    const box = await startBox({ engine: { program, models } })
    try {
      await busy(box)
      return await journalsOf(box)
    } finally {
      await box.stop()
    }
  } finally {
    await rm(models, { recursive: true, force: true })
  }
}

const REQUESTS = 20

async function busy(box: Box): Promise<void> {
  await served(box)
  for (let login = 0; login < 5; login += 1) await ssh(box.host('operator'), ['uptime'])
  await asked(box)
  await box.exec('systemctl restart sglang.service')
  await served(box)
  await asked(box)
  await box.exec('systemctl stop sglang.service')
}

async function served(box: Box): Promise<void> {
  const { rc, stderr } = await box.exec(
    `curl -sS -o /dev/null --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:${box.enginePort}/health`,
  )
  if (rc !== 0) throw new Error(`llama-server did not get ready: ${stderr}`)
}

async function asked(box: Box): Promise<void> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 64, stream: true })
  for (let request = 0; request < REQUESTS; request += 1)
    await box.exec(`curl -s http://127.0.0.1:${box.enginePort}/v1/chat/completions -d @-`, body)
}

const FORMS = ['short', 'short-iso', 'cat', 'json'] as const

/** The whole journal as journalctl writes it, and that of each unit. */
async function journalsOf(box: Box): Promise<readonly Text[]> {
  const units = ['', '-u sglang.service', '-u ssh.service']
  const commands = units.flatMap((unit) => FORMS.map((form) => `journalctl --no-pager -o ${form} ${unit}`))
  const texts: Text[] = []
  for (const command of commands) {
    const lines = (await box.exec(command)).stdout.split('\n')
    const count = Math.ceil(lines.length / LINES)
    for (let at = 0; at < count; at += 1)
      texts.push(textOf(command, lines.slice(at * LINES, (at + 1) * LINES).join('\n')))
    texts.push(textOf(command, lines.join('\n')))
  }
  return texts.filter(({ text }) => text.trim() !== '')
}

function textOf(command: string, text: string): Text {
  return { kind: { name: 'log of the far side', nature: 'log' }, prompt: '', text, path: command }
}
