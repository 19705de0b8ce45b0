import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What `npm run build` makes, started as an installed package would be: from another folder, with no node_modules. */
const folder = mkdtempSync(join(tmpdir(), 'pilotflame-build-'))
const dist = join(folder, 'dist')
const main = join(dist, 'main.js')
const scripts = join(import.meta.dirname, '../scripts')
const env = { PATH: process.env['PATH'], HOME: folder, PILOTFLAME_PORT: '0', NO_COLOR: '1' }

beforeAll(() => {
  execFileSync(process.execPath, [join(scripts, 'build.ts'), dist], { stdio: 'ignore' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it says its version, keeps its code cache in the user’s own folder, and writes nothing beside itself', () => {
  const said = execFileSync(process.execPath, [main, '--version'], { cwd: folder, env, encoding: 'utf8' })
  expect(said).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(existsSync(join(folder, '.cache/pilotflame'))).toBe(true)
})

test('what serves holds nothing of the lab, no HTTP receiver and no eval', () => {
  const house = readFileSync(join(dist, 'house.js'), 'utf8')
  expect(house).toContain('Socket Mode')
  expect(house).not.toMatch(/\beval\(|WebSocketServer|application\/x-www-form-urlencoded parser|qwen-059/)
  // a target of the lab's, by which its code would be known
  expect(readFileSync(join(dist, 'demo.js'), 'utf8')).toContain('qwen-059')
})

test('the console comes up with its page, and a smoke goes through SSH to a verdict', async () => {
  const console = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await addressOf(console.stdout)
    expect(await (await fetch(`${url}/console.js`)).text()).toContain('import')
    const live = await fetch(`${url}/live`)
    const said = JSON.stringify({ text: '/smoke "Say hello" --target qwen-059', thread: null })
    await fetch(`${url}/say`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: said })
    expect(await readUntil(live, /Broken\. The model ends at once/)).toBe(true)
  } finally {
    console.kill()
    await once(console, 'exit')
  }
})

test('an old Node is told in one sentence, by the checkout and by the package', () => {
  const asOld = 'Object.defineProperty(process.versions, "node", { value: "20.2.0" }); require(process.argv[1])'
  for (const guard of [join(scripts, 'guard.cjs'), join(dist, 'guard.cjs')]) {
    const { status, stderr } = spawnSync(process.execPath, ['-e', asOld, guard], { encoding: 'utf8' })
    expect(stderr).toMatch(/^Pilotflame needs Node 24 or newer, this is Node 20\.2\.0: .*\.\n$/)
    expect(status).toBe(1)
    expect(spawnSync(process.execPath, [guard]).status).toBe(0)
  }
})

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('it ended before it told its address')
}

async function readUntil(response: Response, wanted: RegExp): Promise<boolean> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (wanted.test(text)) return true
  }
  return false
}
