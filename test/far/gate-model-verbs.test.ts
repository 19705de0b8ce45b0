import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusal, tried } from './gate-unit.ts'
import type { GateWorld } from './gate-world.ts'
import { ask, gateWorld, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

each('model-files, under $name', ({ reason, shell }) => {
  test('the files of the folder that the list names', async () => {
    const { world, folder } = await withModel(reason)
    await writeFile(join(world.folder, 'etc/units'), `main sglang.service model=${folder}\n`)
    const { sections, rc } = await ask(world, shell, 'model-files', 'main')
    expect(rc).toBe(0)
    expect(sections['place']?.text).toBe(`units ${folder}\n`)
    expect(lines(sections['list']?.text).toSorted()).toEqual([
      '17 config.json',
      '2 a file.bin',
      '3000 model.safetensors.index.json',
      '5 weights.safetensors',
      '99 README.md',
    ])
    expect(sections['config.json']?.text).toBe('{"a":"\\n $(id)"}\n')
    expect(sections).not.toHaveProperty('generation_config.json')
    expect(sections['index']?.text).toHaveLength(2048)
    expect(lines(sections['card']?.text)).toEqual([
      'Use **sglang>=0.5.10** or vllm 0.17',
      'We suggest Temperature=0.6, TopP=0.95.',
    ])
  })

  test.each([
    [['--model-path', 'PLACE'], true],
    [['--port', '1', '--model-path=PLACE'], true],
    [['--model', 'PLACE'], true],
    [['serve', 'PLACE', '--port', '1'], true],
    [['-m', 'PLACE'], true],
    [['-m', 'sglang.launch_server', '--model-path', 'PLACE'], true],
    [['-m', 'sglang.launch_server'], false],
    [['serve', '--port', '1'], false],
    [['--served-model-name', 'PLACE'], false],
    [['--model-path'], false],
  ])('of the arguments %j: %s', async (given, found) => {
    const { world, folder } = await withModel(reason)
    await runs(
      world,
      given.map((word) => word.replace('PLACE', folder)),
    )
    const answer = await ask(world, shell, 'model-files', 'main')
    expect([answer.rc, answer.sections['place']?.text]).toEqual(found ? [0, `argv ${folder}\n`] : [66, undefined])
    if (!found) expect(refusal(answer)).toMatch(/^not-there a model: /)
  })
})

each('model-files elsewhere, under $name', ({ reason, shell }) => {
  test('a GGUF file, a path from where the server runs, and a folder that is not there', async () => {
    const { world, folder } = await withModel(reason)
    await writeFile(join(folder, 'q4.gguf'), 'GGUF')
    const stop = await runs(world, ['-m', 'q4.gguf'], folder)
    const relative = await ask(world, shell, 'model-files', 'main')
    expect([relative.sections['place']?.text, relative.sections['list']?.text]).toEqual([
      `argv ${folder}/q4.gguf\n`,
      '4 q4.gguf\n',
    ])
    await stop()
    await runs(world, ['--model', '/nowhere/at all'])
    const absent = await ask(world, shell, 'model-files', 'main')
    expect([absent.rc, refusal(absent)]).toEqual([
      66,
      'not-there /nowhere/at all, or this account may not look there\n',
    ])
  })

  test("a name of the hub, in the cache of the server's owner", async () => {
    const { world } = await withModel(reason)
    const hub = join(world.folder, '.cache/huggingface/hub/models--Qwen--Qwen3-8B')
    const snapshot = join(hub, 'snapshots/0123abc')
    await mkdir(snapshot, { recursive: true })
    await mkdir(join(hub, 'refs'))
    await writeFile(join(hub, 'refs/main'), '0123abc')
    await writeFile(join(snapshot, 'config.json'), '{}')
    await world.tool('getent', `echo 'root:x:0:0:root:${world.folder}:/bin/sh'`)
    await runs(world, ['--model-path', 'Qwen/Qwen3-8B'])
    const { sections } = await ask(world, shell, 'model-files', 'main')
    expect([sections['place']?.text, sections['list']?.text]).toEqual([`argv ${snapshot}\n`, '2 config.json\n'])
    await writeFile(join(hub, 'refs/main'), '../../..')
    expect((await ask(world, shell, 'model-files', 'main')).rc).toBe(66)
  })
})

each('versions and units, under $name', ({ reason, shell }) => {
  test("the packages of the server's own Python", async () => {
    const world = await gateWorld({ reason })
    const venv = join(world.folder, 'venv')
    const packages = join(venv, 'lib/python3.12/site-packages')
    for (const name of ['sglang-0.5.9', 'sgl_kernel-0.3.1', 'torch-2.9.1+cu128', 'torchvision-1.0', 'numpy-2.0']) {
      await mkdir(join(packages, `${name}.dist-info`), { recursive: true })
    }
    await runs(world, ['-m', 'sglang.launch_server'], '/', join(venv, 'bin/python3'))
    const { sections } = await ask(world, shell, 'versions', 'main')
    expect(lines(sections['packages']?.text)).toEqual([
      'sgl_kernel-0.3.1.dist-info',
      'sglang-0.5.9.dist-info',
      'torch-2.9.1+cu128.dist-info',
    ])
    expect(lines(sections['os']?.text)).toHaveLength(2)
    expect(sections).toHaveProperty('driver')
    // or of what the unit would start
    await shows(world, 0, `{ path=${venv}/bin/python3 ; argv[]=${venv}/bin/python3 -m x ; }`)
    expect(lines((await ask(world, shell, 'versions', 'main')).sections['packages']?.text)).toHaveLength(3)
  })

  test('each unit of the list has its section; a line that is no line has none', async () => {
    const good = Array.from({ length: 70 }, (_, at) => `unit${at} u${at}.service`)
    const bad = ['.x a.service', 'y a.socket', 'z -a.service', 'w ../a.service', 'v', '# c c.service', 'ü d.service']
    const world = await gateWorld({ reason, units: [...bad, ...good].join('\n') })
    await world.tool('systemctl', 'printf "%s\\n" "Id=$5"')
    const { sections } = await ask(world, shell, 'units')
    expect(Object.keys(sections)).toEqual(good.slice(0, 64).map((line) => `unit.${line.split(' ')[0]}`))
    expect(sections['unit.unit63']?.text).toBe('Id=u63.service\n')
    for (const line of bad)
      expect((await ask(world, shell, 'unit', line.split(' ')[0]?.replace(/\W/g, 'q') ?? '')).rc).toBe(67)
  })

  test('without systemd', async () => {
    const world = await gateWorld({ reason })
    await world.tool('systemctl', 'echo "System has not been booted with systemd" >&2; exit 1')
    const unit = await ask(world, shell, 'unit', 'main')
    expect([unit.rc, unit.sections['unit']?.rc, Object.keys(unit.sections)]).toEqual([0, 1, ['unit', 'variants']])
    const tree = await ask(world, shell, 'tree', 'main')
    expect([tree.rc, refusal(tree)]).toEqual([69, 'tool-missing systemctl: System has not been booted with systemd\n'])
  })
})

async function withModel(reason: string | null): Promise<{ world: GateWorld; folder: string }> {
  const world = await gateWorld({ reason })
  const folder = join(world.folder, 'model')
  await mkdir(folder)
  await mkdir(join(folder, 'sub'))
  await writeFile(join(folder, 'config.json'), '{"a":"\\n $(id)"}\n')
  await writeFile(join(folder, 'a file.bin'), 'ab')
  await writeFile(join(folder, 'model.safetensors.index.json'), 'x'.repeat(3000))
  await writeFile(join(world.folder, 'blob'), '12345')
  await symlink('../blob', join(folder, 'weights.safetensors'))
  await writeFile(join(folder, 'README.md'), CARD)
  return { world, folder }
}

const CARD = 'A model for vllm.\nUse **sglang>=0.5.10** or vllm 0.17\nWe suggest Temperature=0.6, TopP=0.95.\nBye\n\n\n'

/** A process with these arguments is the main one of the unit from now on. Gives what stops it. */
async function runs(
  world: GateWorld,
  words: readonly string[],
  cwd = '/',
  argv0 = '/opt/server',
): Promise<() => Promise<void>> {
  // waits for the end of its standard input, and is called as it should
  const child = spawn('/usr/bin/bash', ['-c', 'read -r line', ...words], { argv0, cwd })
  await once(child, 'spawn')
  const stop = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  await shows(world, child.pid ?? 0, '')
  return stop
}

async function shows(world: GateWorld, pid: number, start: string): Promise<void> {
  await world.tool(
    'systemctl',
    `printf '%s\\n' ActiveState=active MainPID=${pid} ControlGroup=/pilotflame.none 'ExecStart=${start}'`,
  )
}

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}
