import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readProcess } from '../../src/domain/verbs/process-line.ts'
import { refusal, tried } from './gate-unit.ts'
import type { Answer, GateWorld } from './gate-world.ts'
import { answerIn, ask, gateWorld, newOp, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

const QUERY = '--query-gpu=*) echo "0, GPU-1"'

each('the cards of a host, under $name', ({ reason, shell }) => {
  test('one answer: tool, time, units, cards, processes and what /proc shows of them', async () => {
    const units = 'qwen sglang.service log=/nowhere.log\nsmall vllm@small.service\nbad line\n'
    const world = await gateWorld({ reason, units })
    await world.tool('nvidia-smi', `case $1 in ${QUERY} ;; *) echo "GPU-1, ${process.pid}, node, 12" ;; esac`)
    const { rc, sections } = await ask(world, shell, 'cards')
    expect(rc).toBe(0)
    expect(sections['host']?.text).toMatch(/^tool=nvidia-smi\ntime=\d+\ncontainer=.*\n$/)
    expect(sections['units']?.text).toBe('qwen sglang.service\nsmall vllm@small.service\n')
    expect(sections['cards']).toEqual({ rc: 0, text: '0, GPU-1\n' })
    expect(sections['apps']).toEqual({ rc: 0, text: `GPU-1, ${process.pid}, node, 12\n` })
    expect(lines(sections['processes']?.text).map((line) => readProcess(line)?.pid)).toEqual([process.pid])
    expect((await world.calls()).filter((call) => !call.startsWith('systemd-detect-virt'))).toEqual([
      'flock -n 9',
      expect.stringMatching(/^nvidia-smi --query-gpu=index,uuid,.*,pstate --format=csv,noheader,nounits$/),
      'nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory --format=csv,noheader,nounits',
    ])
  })

  test('both deliveries send the same', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', `case $1 in ${QUERY} ;; esac`)
    const op = newOp()
    const still = ({ sections }: Answer) => ({
      ...sections,
      host: sections['host']?.text.replace(/^time=\d+$/m, 'time=*'),
    })
    const quick = answerIn(await world.quick(shell, ['cards', op]), op)
    expect(still(quick)).toEqual(still(answerIn(await world.installed(shell, `cards ${op}`), op)))
  })

  test.each([
    ['amd-smi', ['metric --usage --power --temperature --mem-usage --json', 'static --json', 'process --json']],
    ['rocm-smi', [expect.stringMatching(/^--showproductname .* --showmeminfo vram --json$/), '--showpids --json']],
  ])('without nvidia-smi: %s', async (name, asked) => {
    const world = await gateWorld({ reason })
    await rm(join(world.folder, 'bin/nvidia-smi'))
    const own = String(process.pid)
    await world.tool(
      name,
      `case $* in *process*) printf '[\\n  {"pid": ${own},\\n  "pid": "1", "other_pid": 7}\\n]\\n' ;;
      --showpids*) echo '{"system": {"PID${own}": "node, 1, 2", "PID1": "init, 1, 2"}}' ;; *) echo "of $1" ;; esac`,
    )
    // another one that is there counts for nothing
    if (name === 'amd-smi') await world.tool('rocm-smi', 'echo other')
    const { sections } = await ask(world, shell, 'cards')
    expect(sections['host']?.text).toContain(`tool=${name}\n`)
    expect(sections['cards']?.text).toBe(name === 'amd-smi' ? 'of metric\nof static\n' : 'of --showproductname\n')
    expect(lines(sections['processes']?.text).map((line) => readProcess(line)?.pid)).toEqual([process.pid, 1])
    const calls = (await world.calls()).filter((call) => call.startsWith(name))
    expect(calls.map((call) => call.slice(name.length + 1))).toEqual(asked)
  })
})

each('what a host lacks, under $name', ({ reason, shell }) => {
  test('no tool at all, no flock', async () => {
    const world = await gateWorld({ reason })
    await rm(join(world.folder, 'bin/flock'))
    expect(refusal(await ask(world, shell, 'cards'))).toBe('tool-missing flock\n')
    await rm(join(world.folder, 'bin/nvidia-smi'))
    const answer = await ask(world, shell, 'cards')
    expect([answer.rc, refusal(answer)]).toEqual([69, 'tool-missing nvidia-smi/amd-smi/rocm-smi\n'])
  })

  test('a list of units that is not believed hides the cards from nobody', async () => {
    const world = await gateWorld({ reason })
    await chmod(join(world.folder, 'etc/units'), 0o664)
    const { rc, sections } = await ask(world, shell, 'cards')
    expect([rc, sections['units'], sections['cards']?.rc]).toEqual([0, { rc: 0, text: '' }, 0])
    await rm(join(world.folder, 'etc/units'))
    expect((await ask(world, shell, 'cards')).sections['units']).toEqual({ rc: 0, text: '' })
  })
})

each('a GPU tool that fails, under $name', ({ reason, shell }) => {
  test.each([9, 15, 255])('its status %i is told, and it is not asked again', async (status) => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', `echo 0, GPU-1\necho status 0\necho lost >&2\nexit ${status}`)
    const { rc, sections } = await ask(world, shell, 'cards')
    expect([rc, sections['cards'], Object.keys(sections)]).toEqual([
      0,
      { rc: status, text: '0, GPU-1\nstatus 0\nlost\n' },
      ['host', 'units', 'cards'],
    ])
  })

  test.each([
    ['ends when asked', 'exec sleep 60'],
    ['must be killed', `trap '' TERM\nwhile :; do sleep 60; done`],
  ])('one that hangs and %s: 124, what it had printed, and the lock is free again', async (_, script) => {
    const world = await gateWorld({ reason, edit: hasty })
    await world.tool('nvidia-smi', `echo first; echo status 0\n${script}`)
    const { rc, sections } = await ask(world, shell, 'cards')
    expect([rc, Object.keys(sections)]).toEqual([0, ['host', 'units', 'cards']])
    expect(sections['cards']).toEqual({ rc: 124, text: expect.stringMatching(/^first\nstatus 0\n/) })
    await world.tool('nvidia-smi', 'echo well')
    expect((await ask(world, shell, 'cards')).sections['cards']).toEqual({ rc: 0, text: 'well\n' })
  })

  test('processes that hang leave the cards as they are', async () => {
    const world = await gateWorld({ reason, edit: hasty })
    await world.tool('nvidia-smi', `case $1 in ${QUERY} ;; *) exec sleep 60 ;; esac`)
    const { rc, sections } = await ask(world, shell, 'cards')
    expect([rc, sections['cards']?.rc, sections['apps']?.rc, sections['processes']?.text]).toEqual([0, 0, 124, ''])
  })

  test('300 KB are cut at 256 KiB and a byte, and the processes are asked for all the same', async () => {
    const world = await gateWorld({ reason })
    const endless = `i=0; while [ $i -lt 3000 ]; do echo "${'x'.repeat(99)}"; i=$((i + 1)); done`
    await world.tool('nvidia-smi', `case $1 in --query-gpu=*) ${endless} ;; *) echo none ;; esac`)
    const { sections } = await ask(world, shell, 'cards')
    expect([sections['cards']?.rc, sections['cards']?.text.length]).toEqual([141, 262_145])
    expect(sections['apps']).toEqual({ rc: 0, text: 'none\n' })
  })
})

each('a GPU tool that no signal ends, under $name', ({ reason, shell }) => {
  test('is waited for by nobody, and 5 more calls start none beside it', async () => {
    const world = await stuckWorld(reason)
    const first = await ask(world, shell, 'cards')
    expect(first.sections['cards']).toEqual({ rc: 124, text: 'first\n' })
    const others = await Promise.all(Array.from({ length: 5 }, () => ask(world, shell, 'cards')))
    for (const { rc, sections } of others) {
      expect([rc, Object.keys(sections)]).toEqual([0, ['host', 'units', 'held']])
      expect(sections['held']?.text).toBe(`${world.folder}/bin/nvidia-smi\n`)
    }
    expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toHaveLength(1)
    await writeFile(join(world.folder, 'free'), '')
    await expect.poll(async () => (await ask(world, shell, 'cards')).sections['cards']?.rc, { timeout: 8000 }).toBe(0)
  })

  test('the quick delivery of an account without records shares the lock by the tool itself', async () => {
    const world = await stuckWorld(reason)
    await rm(join(world.folder, 'state'), { recursive: true })
    const op = newOp()
    const first = answerIn(await world.quick(shell, ['cards', op]), op)
    const second = answerIn(await world.quick(shell, ['cards', op]), op)
    expect([first.sections['cards']?.rc, Object.keys(second.sections)]).toEqual([124, ['host', 'units', 'held']])
    await writeFile(join(world.folder, 'free'), '')
  })

  test('3 calls at once of a tool that works wait for each other', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', `case $1 in ${QUERY} ;; esac`)
    const all = await Promise.all([1, 2, 3].map(() => ask(world, shell, 'cards')))
    expect(all.map(({ sections }) => sections['cards'])).toEqual(Array(3).fill({ rc: 0, text: '0, GPU-1\n' }))
  })
})

/** The gate with a limit of 1 s for the cards and the processes. */
function hasty(script: string): string {
  const edited = script.replace('asked 5 "', 'asked 1 "').replace('asked 3 "', 'asked 1 "')
  if (edited.split('asked 1 "').length !== 3) throw new Error('the gate has no such limits')
  return edited
}

/** A tool that waits in the kernel cannot be made: here `timeout` leaves it alone, and so it goes on for 60 s or until freed. */
async function stuckWorld(reason: string | null): Promise<GateWorld> {
  const world = await gateWorld({ reason, edit: hasty })
  const free = join(world.folder, 'free')
  await world.tool('timeout', `case $* in *nvidia-smi*) shift 3; exec "$@" ;; *) exec /usr/bin/timeout "$@" ;; esac`)
  await world.tool(
    'nvidia-smi',
    `echo first; i=0; while [ ! -e ${free} ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done`,
  )
  onTestFinished(() => writeFile(free, '').catch(() => {}))
  return world
}

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}
