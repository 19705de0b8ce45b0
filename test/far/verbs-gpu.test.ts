import { expect } from 'vitest'
import type { Outcome } from '../../src/domain/outcome.ts'
import { cards, dmesgGpu, gpu, gpuProcesses, hostHealth } from '../../src/domain/verbs/index.ts'
import { nvidiaSmi } from '../../src/telemetry/nvidia-smi.ts'
import { failureIn, valueIn } from '../adapters/tidy.ts'
import { DELIVERIES } from './both-ways.ts'
import { dmesgAllowed, gpuState, look, test } from './furnished.ts'

/** Hangs from the first test on, while the others go on; its time on the host is 20 s. */
let hanging: Promise<Outcome<unknown>> | null = null

test('a tool that begins to hang', async ({ ways, box }) => {
  await gpuState(box, 'hangs')
  hanging = ways.same(gpu, {})
  await expect.poll(() => hung(box), { timeout: 8000 }).toBe(2)
})

/** How many nvidia-smi hang: the double becomes this. */
async function hung(box: Parameters<typeof look>[0]): Promise<number> {
  const { stdout } = await box.exec('ps -eo user,args | awk \'$1 ~ /^pilotfl/ && $2 == "sleep"\' | wc -l')
  return Number(stdout)
}

test('a GPU that fell off the bus: the tool ends with 0, the other one is told', async ({ ways, box }) => {
  await gpuState(box, 'lost')
  const { gpus, notes } = valueIn(await ways.same(gpu, {}))
  expect(gpus).toMatchObject([
    { index: 0, lost: false, memoryUsedMiB: 43_210, gaps: [] },
    { index: 1, lost: true, name: 'NVIDIA RTX A6000', memoryTotalMiB: null, temperature: null, pstate: null },
  ])
  expect(notes).toEqual([])
  expect(valueIn(await ways.same(gpuProcesses, {}))).toEqual({ processes: [], notes: [] })
})

test.for([
  ['nodriver', 'ended with 9', "couldn't communicate with the NVIDIA driver", 'see whether the driver is loaded'],
  ['nolib', 'ended with 12', "couldn't find libnvidia-ml.so", 'install the library of the driver'],
  ['mismatch', 'ended with 255', 'Mismatch in versions', 'reboot the host after a driver update'],
  ['badfield', 'ended with 2', 'Field "pstate" is not a valid field', 'update the NVIDIA driver'],
  ['badoption', 'ended with 255', 'is not recognized', 'run it there by hand'],
] as const)('%s: the tool %s', async ([state, status, words, next], { ways, box }) => {
  await gpuState(box, state)
  for (const verb of [gpu, gpuProcesses]) {
    const failure = failureIn(await ways.same<object, unknown>(verb, {}))
    expect(failure).toMatchObject({ kind: 'exit', thing: 'nvidia-smi', next: expect.stringContaining(next) })
    expect(failure.observed).toContain(status)
    expect(failure.observed).toContain(words)
  }
})

test('of two who ask for the cards while the tool hangs, one is told so after its time, the other that it is in use', async ({
  ways,
  box,
}) => {
  await gpuState(box, 'hangs')
  const asked = await Promise.all(DELIVERIES.map((delivery) => ways.ask(delivery, cards, {})))
  const told = asked.map(({ outcome }) => valueIn(outcome).value)
  expect(told.map((one) => one.cards?.rc ?? null).toSorted()).toEqual([124, null])
  expect(told.map(({ unasked }) => unasked ?? 'asked').toSorted()).toEqual(['asked', 'in-use'])
  for (const one of told) {
    const { gpus, processes, units } = nvidiaSmi.read(one)
    expect([gpus.timedOut, processes, units['quiet']]).toEqual([one.cards !== null, null, 'quiet.service'])
  }
})

test('host-health: a driver that does not know a column is asked without it, and the others are told all the same', async ({
  ways,
  box,
}) => {
  await gpuState(box, 'badfield')
  const moving = ['uptime', 'time', 'MemAvailable', 'SwapFree']
  const { cards: said, links, places } = valueIn(await ways.same(hostHealth, {}, moving))
  // the double refuses pstate, whatever is asked: at last only that is left out
  expect(said).toMatchObject({ rc: 2, text: expect.stringContaining('Field "pstate" is not a valid field') })
  expect([links, places.length > 0]).toEqual([null, true])
})

test('processes that the host cannot show: another namespace, one that has ended', async ({ ways, box }) => {
  await box.disk.write('/etc/double/ok.apps', 'GPU-1, 4194303, [Not Found], [N/A]\nGPU-1, 1, init, 12\n')
  await gpuState(box, 'ok')
  expect(valueIn(await ways.same(gpuProcesses, {})).processes).toEqual([
    { gpuUuid: 'GPU-1', pid: 4_194_303, name: null, memoryMiB: null, facts: null },
    { gpuUuid: 'GPU-1', pid: 1, name: 'init', memoryMiB: 12, facts: expect.objectContaining({ comm: 'systemd' }) },
  ])
})

test('the kernel log that the account may not read is asked of the journal', async ({ ways, box }) => {
  await dmesgAllowed(box, false)
  expect(valueIn(await ways.same(dmesgGpu, {}))).toEqual({ lines: [] })
  const { reply } = await ways.ask('installed', dmesgGpu, {})
  expect(reply?.sections).toMatchObject([{ name: 'journal', rc: 0 }])
})

test('the tool that hung from the first test on is ended on the host, and told by its own name', async ({
  ways,
  box,
}) => {
  const failure = failureIn(await (hanging ?? ways.same(gpu, {})))
  expect(failure).toMatchObject({
    kind: 'deadline',
    thing: expect.stringMatching(/^host HOST|^host installed/),
    observed: expect.stringContaining('gpu took longer than it may'),
    next: expect.stringContaining('a GPU that does not answer'),
  })
  expect(await hung(box)).toBe(0)
}, 40_000)

test('no tool at all', async ({ ways, box }) => {
  await look(box, 'rm /usr/local/bin/nvidia-smi')
  expect(failureIn(await ways.same(cards, {}))).toMatchObject({
    kind: 'tool-missing',
    observed: 'nvidia-smi/amd-smi/rocm-smi is not installed',
    next: expect.stringContaining('AMD: amd-smi or rocm-smi'),
  })
  for (const verb of [gpu, gpuProcesses]) {
    expect(failureIn(await ways.same<object, unknown>(verb, {}))).toMatchObject({
      kind: 'tool-missing',
      observed: 'nvidia-smi is not installed',
      next: expect.stringContaining("install the NVIDIA driver's tools"),
    })
  }
})
