import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fuzzedLines } from './gate-lines.ts'
import type { Expected } from './gate-model.ts'
import { gateModel, UNITS } from './gate-model.ts'
import { judge } from './gate-oracle.ts'
import type { GateRun, GateWorld, Shell } from './gate-world.ts'
import { gateWorld, notRoot, run, shells, skips } from './gate-world.ts'

/** 20,000 lines in all. */
const ONLY_JUDGED = 4000
const WHOLE = 2000

describe.each(shells)('under $name', ({ why, shell }) => {
  test.skipIf(skips(why))(
    `${ONLY_JUDGED} fuzzed lines are judged as the protocol says`,
    { timeout: 120_000 },
    async () => {
      const world = await open(why)
      const lines = fuzzedLines(shell.name.length, ONLY_JUDGED, { legal: 25 })
      const said = await judgedBy(shell, world, lines)
      const expected = lines.map((line) => {
        const judgement = judge(line)
        return judgement === null
          ? 'refused'
          : [STATUS[judgement.rc], judgement.verb, judgement.op, ...judgement.words].join(' ')
      })
      expect(said).toEqual(expected)
      expect(count(expected, 'refused')).toBeGreaterThan(ONLY_JUDGED / 4)
      expect(count(expected, '0 ')).toBeGreaterThan(ONLY_JUDGED / 10)
      expect(count(expected, '1 ')).toBeGreaterThan(ONLY_JUDGED / 50)
      expect(await world.calls()).toEqual([])
    },
  )
})

// dash is Debian's sh
describe.each(shells.slice(0, 2))('under $name', ({ why, shell }) => {
  const reason = why ?? notRoot

  test.skipIf(skips(reason))(
    `of ${WHOLE} fuzzed lines through the whole gate only legal ones touch anything`,
    { timeout: 120_000 },
    async () => {
      const world = await open(reason)
      const lines = [...changes(), ...fuzzedLines(100 + shell.name.length, WHOLE, { legal: 10 })]
      const before = await readdir(world.folder)
      const runs = await sentTo(shell, world, lines)
      const model = gateModel()
      for (const [at, line] of lines.entries()) {
        const judgement = judge(line)
        const expected = judgement === null ? REFUSED : model(judgement)
        expect({ line, ...told(runs[at], expected) }).toEqual({ line, ...wanted(expected, judgement?.op ?? '-') })
      }
      expect(await readdir(world.folder)).toEqual(before)
      expect(await readdir(join(world.folder, 'cwd'))).toEqual([])
      expect(
        (await readdir(join(world.folder, 'state'))).filter((name) => !/^(main|file|\.gpu-.*)\.|^ops$/.test(name)),
      ).toEqual([])
      expect(runs.filter(({ calls }) => calls.some((call) => call.includes('--no-block'))).length).toBeGreaterThan(9)
    },
  )
})

/** Ten restarts, each sent twice: the records that the fuzz meets. */
function changes(): readonly string[] {
  return Array.from({ length: 20 }, (_, at) => {
    const number = Math.floor(at / 2)
    return `restart ${String(number).padStart(32, '0')} main ${number}.stopped`
  })
}

/** Of `fits`, for a status of the gate. */
const STATUS = { 0: 0, 64: 1, 127: 2 } as const

const REFUSED: Expected = { rc: [126], calls: [], writes: false }

const WRITING = /^(mkdir|rmdir|rm|mv|ln|sync|flock)\b/

const REFUSAL = /^\nGATE (-) begin 1 installed\n\nGATE - refused [^\n]+\n$/

/** Nothing stands outside the sections. */
const ANSWER =
  /^\nGATE (\S+) begin 1 installed\n(?:\nGATE \1 section \S+\n(?:(?!GATE)[^\n]*\n)*?\nGATE \1 close \d+\n)*\nGATE \1 end \d+\n$/

/** What of a run the protocol fixes. */
function told(one: WholeRun | undefined, expected: Expected): object {
  if (one === undefined) return { missing: true }
  const { code, output, calls } = one
  const acts = calls.filter((call) => !WRITING.test(call))
  const written = calls.filter((call) => WRITING.test(call) && !(expected.locks === true && call === 'flock -n 9'))
  return {
    rc: expected.rc.includes(code) || code,
    form: (code === 126 ? REFUSAL : ANSWER).exec(output)?.slice(1) ?? output,
    acts,
    touched: expected.writes ? [] : written,
  }
}

function wanted(expected: Expected, op: string): object {
  return { rc: true, form: [op], acts: expected.calls, touched: [] }
}

async function open(reason: string | null): Promise<GateWorld> {
  const rows = Object.entries(UNITS).map(([alias, unit]) => `${alias} ${unit}`)
  const world = await gateWorld({ reason, units: `# the list\n${rows.join('\n')} log=/nowhere/app.log\n` })
  await world.tool(
    'systemctl',
    `[ "$1" != show ] || printf '%s\\n' ActiveState=inactive NRestarts=0 ControlGroup=/pilotflame.none`,
  )
  await writeFile(join(world.folder, 'etc/variants/main/fast.conf'), '[Service]\n', { mode: 0o644 })
  for (const name of ['cwd', 'evil', 'state/ops']) await mkdir(join(world.folder, name))
  // whoever finds one of these has followed the client's environment
  for (const name of ['id', 'find', 'timeout', 'systemctl', 'sudo', 'rc']) {
    await writeFile(join(world.folder, 'evil', name), `#!/bin/sh\necho "evil ${name}" >>${world.folder}/calls\n`, {
      mode: 0o755,
    })
  }
  return world
}

/** `form` and `fits` of the script alone, all lines in one process. */
async function judgedBy(shell: Shell, world: GateWorld, lines: readonly string[]): Promise<readonly string[]> {
  const functions = (await readFile(world.gate, 'utf8')).replace(/\nmain "\$@"\n$/, '\n')
  expect(functions).not.toContain('\nmain "$@"')
  const judgeOne = `one() {
  if form "$1"; then set -- $words; fits "$verb" "$@"; echo "$? $verb $op${'$'}{words:+ $words}"; else echo refused; fi
}`
  const calls = lines.map((line) => `one ${quoted(line)}`)
  const script = [functions, 'settings', judgeOne, ...calls, ''].join('\n')
  const { stdout, stderr } = await runScript(shell, world, script)
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}

interface WholeRun {
  /** both streams: the gate has nothing to say on standard error */
  readonly output: string
  readonly code: number
  readonly calls: readonly string[]
}

/** Each line as sshd hands it to the forced command, in a hostile environment. */
async function sentTo(shell: Shell, world: GateWorld, lines: readonly string[]): Promise<readonly WholeRun[]> {
  const { folder, gate } = world
  const hostile = `PATH=${folder}/evil IFS=abc012 ENV=${folder}/evil/rc LD_PRELOAD=/evil.so CDPATH=/ filter=id op=x LC_ALL=C.UTF-8`
  const starts = lines.map((line) =>
    [
      `echo '${MARK}' >>${folder}/calls`,
      `${hostile} SSH_ORIGINAL_COMMAND=${quoted(line)} ${shell.command.join(' ')} ${gate} 2>&1`,
      `echo "${MARK}$?${MARK}"`,
    ].join('\n'),
  )
  const { stdout } = await runScript(
    { name: 'sh', command: ['/bin/sh'] },
    world,
    [`cd ${folder}/cwd`, ...starts].join('\n'),
  )
  await rm(`${folder}/script`)
  const calls = (await readFile(`${folder}/calls`, 'utf8')).split(`${MARK}\n`).slice(1)
  const parts = stdout.split(MARK)
  return lines.map((_, at) => ({
    // the loader complains once, when sshd's shell starts the gate; nothing that the gate starts may meet the library
    output: (parts[at * 2] ?? '').slice(at === 0 ? 0 : 1).replace(/^ERROR: ld\.so: object '\/evil\.so' .*\n/, ''),
    code: Number(parts[at * 2 + 1]),
    calls: (calls[at] ?? '').split('\n').filter(Boolean),
  }))
}

const MARK = '=/=/=/='

async function runScript({ command: [file, ...args] }: Shell, world: GateWorld, script: string): Promise<GateRun> {
  await writeFile(join(world.folder, 'script'), script, 'latin1')
  return run(file, [...args, join(world.folder, 'script')], { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, null)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function count(texts: readonly string[], beginning: string): number {
  return texts.filter((text) => text.startsWith(beginning)).length
}
