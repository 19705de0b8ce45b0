import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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

each('a tool that was left over from other cards, under $name', ({ reason, shell }) => {
  const NO_DRIVER = 'echo no driver; exit 9'

  /** nvidia-smi finds no driver; `onBus`: whether there is a card of NVIDIA for it. */
  async function leftOver(onBus: boolean): Promise<GateWorld> {
    const edit = (text: string) => text.replace(/^nvidia_slots.*$/m, `nvidia_slots() { ${onBus ? 'echo 1' : ':'}; }`)
    const world = await gateWorld({ reason, edit })
    await world.tool('nvidia-smi', NO_DRIVER)
    return world
  }

  test('the next one that is there is asked', async () => {
    const world = await leftOver(false)
    await world.tool('rocm-smi', 'echo "of $1"')
    const { sections } = await ask(world, shell, 'cards')
    expect(sections['host']?.text).toContain('tool=rocm-smi\n')
    expect([sections['cards'], sections['apps']?.rc]).toEqual([{ rc: 0, text: 'of --showproductname\n' }, 0])
  })

  test('alone it is believed, and of several that fail the last', async () => {
    const world = await leftOver(false)
    const alone = await ask(world, shell, 'cards')
    expect([alone.sections['host']?.text, alone.sections['cards']]).toEqual([
      expect.stringContaining('tool=nvidia-smi\n'),
      { rc: 9, text: 'no driver\n' },
    ])
    await world.tool('amd-smi', 'echo no amdgpu; exit 1')
    const both = await ask(world, shell, 'cards')
    expect([both.sections['host']?.text, both.sections['cards']]).toEqual([
      expect.stringContaining('tool=amd-smi\n'),
      { rc: 1, text: 'no amdgpu\n' },
    ])
  })

  test('where the bus has a card of NVIDIA its word stands, and where it hangs no other is asked', async () => {
    const world = await leftOver(true)
    await world.tool('amd-smi', 'echo "of $1"')
    expect((await ask(world, shell, 'cards')).sections['cards']).toEqual({ rc: 9, text: 'no driver\n' })
    const slow = await gateWorld({ reason, edit: hasty })
    await slow.tool('nvidia-smi', 'exec sleep 60')
    await slow.tool('amd-smi', 'echo "of $1"')
    expect((await ask(slow, shell, 'cards')).sections['cards']?.rc).toBe(124)
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

/** The gate with a limit of 1 s for the cards and the processes. */
function hasty(script: string): string {
  const edited = script.replace('asked 5 "', 'asked 1 "').replace('asked 3 "', 'asked 1 "')
  if (edited.split('asked 1 "').length !== 3) throw new Error('the gate has no such limits')
  return edited
}

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}
