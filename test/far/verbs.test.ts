import { expect, vi } from 'vitest'
import type { Fence } from '../../src/domain/unit.ts'
import {
  cards,
  disk,
  dmesgGpu,
  follow,
  gpu,
  gpuProcesses,
  hostHealth,
  kill,
  listeners,
  log,
  modelFiles,
  opstat,
  pci,
  ping,
  process,
  resetFailed,
  restart,
  start,
  stop,
  tree,
  unit,
  units,
  variant,
  verbs,
  versions,
} from '../../src/domain/verbs/index.ts'
import { nvidiaSmi } from '../../src/telemetry/nvidia-smi.ts'
import { kindOf, valueIn } from '../adapters/tidy.ts'
import { GPU_ROWS } from '../domain/verbs/replies.ts'
import { DELIVERIES } from './both-ways.ts'
import { look, MODEL, show, startOf, test } from './furnished.ts'
import { newOp } from './verbs-over.ts'

/** Of every unit: how much memory it has. Nothing else of a unit at rest changes between two looks. */
const MEMORY = ['MemoryCurrent']

test('ping', async ({ ways, box }) => {
  const before = Math.floor(Date.now() / 1000) * 1000
  const facts = valueIn(await ways.same(ping, {}, ['delivery', 'uptime', 'time']))
  const release = await look(box, '. /etc/os-release; echo "$PRETTY_NAME"')
  expect(facts).toMatchObject({
    user: 'pilotflame',
    uid: Number(await look(box, 'id -u pilotflame')),
    hostName: box.name,
    kernel: await look(box, 'uname -r'),
    os: release,
    bootId: await look(box, 'cat /proc/sys/kernel/random/boot_id'),
    uptimeS: expect.any(Number),
    timeMs: expect.any(Number),
    systemd: (await look(box, 'systemctl --version')).split(' ')[1],
    sudo: true,
    stateDir: '/var/lib/pilotflame',
  })
  expect(facts.timeMs).toBeGreaterThanOrEqual(before)
  expect(facts.timeMs).toBeLessThanOrEqual(Date.now())
  const uptime = Number.parseFloat(await look(box, 'cat /proc/uptime'))
  expect(uptime - (facts.uptimeS ?? 0)).toBeGreaterThanOrEqual(0)
  expect(uptime - (facts.uptimeS ?? 0)).toBeLessThan(30)
})

test('units, unit', async ({ ways, box }) => {
  const { units: all } = valueIn(await ways.same(units, {}, MEMORY))
  const listed = (await box.disk.read('/etc/pilotflame/units')).split('\n').slice(1).filter(Boolean)
  expect(all.map((one) => one.unit)).toEqual(listed.map((line) => line.split(' ')[0]))
  for (const { state } of all) {
    const { id, activeState } = valueIn(state)
    expect(activeState).toBe(await show(box, id, 'ActiveState'))
  }
  const { state, fence, ...variants } = valueIn(await ways.same(unit, { unit: 'quiet' }, MEMORY))
  expect(state).toMatchObject({
    id: 'quiet.service',
    loadState: 'loaded',
    activeState: 'active',
    subState: 'running',
    result: 'success',
    type: 'simple',
    restart: 'no',
    mainPid: Number(await show(box, 'quiet', 'MainPID')),
    mainExit: null,
    nRestarts: 0,
    invocation: await show(box, 'quiet', 'InvocationID'),
    controlGroup: '/system.slice/quiet.service',
    unitFileState: 'static',
    fragmentPath: '/etc/systemd/system/quiet.service',
    dropIns: [],
    job: null,
    startTimeoutMs: 90_000,
  })
  expect(fence?.token).toBe(`0.active-${state.invocation}`)
  expect(variants).toEqual({ variant: null, variants: [] })
  expect(kindOf(await ways.same(unit, { unit: 'ssh.service' }))).toBe('no-such-unit')
})

test('gpu, gpu-processes, dmesg-gpu', async ({ ways, box }) => {
  expect(valueIn(await ways.same(gpu, {}))).toMatchObject({
    gpus: [
      { index: 0, memoryUsedMiB: 43_210 },
      { index: 1, temperature: 71 },
    ],
    notes: [],
  })
  const pid = Number(await show(box, 'quiet', 'MainPID'))
  expect(valueIn(await ways.same(gpuProcesses, {})).processes).toEqual([
    {
      gpuUuid: 'GPU-8f6b1c2d-0000-1111-2222-333344445555',
      pid,
      name: 'sglang::scheduler',
      memoryMiB: 43_100,
      facts: expect.objectContaining({ pid, owner: 'root', cgroup: '/system.slice/quiet.service' }),
    },
  ])
  expect(valueIn(await ways.same(dmesgGpu, {})).lines).toEqual([
    {
      at: Date.UTC(2026, 4, 1, 12, 0, 0, 123),
      text: 'NVRM: Xid (PCI:0000:41:00): 79, pid=4242, GPU has fallen off the bus.',
    },
    { at: Date.UTC(2026, 4, 1, 12, 0, 2, 500), text: 'Out of memory: Killed process 4242 (sglang)' },
  ])
})

test('cards: all of it in one answer', async ({ ways, box }) => {
  const told = valueIn(await ways.same(cards, {}, ['time']))
  const pid = Number(await show(box, 'quiet', 'MainPID'))
  expect(told).toMatchObject({ tool: 'nvidia-smi', cards: { rc: 0 }, apps: { rc: 0 }, place: 'container' })
  expect(told.units).toMatchObject({ quiet: 'quiet.service', served: 'served.service' })
  expect(Math.abs((told.at ?? 0) - Date.now())).toBeLessThan(60_000)
  const { gpus, processes } = nvidiaSmi.read(told)
  expect(gpus).toMatchObject({ rc: 0, notes: [], cards: [{ memoryUsedMiB: 43_210 }, { temperature: 71 }] })
  const facts = { pid, owner: 'root', cgroup: '/system.slice/quiet.service' }
  expect(processes).toMatchObject([{ pid, memoryMiB: 43_100, facts }])
})

test('host-health: all of it in one answer', async ({ ways, box }) => {
  const health = valueIn(await ways.same(hostHealth, {}, ['uptime', 'time', 'MemAvailable', 'SwapFree']))
  const [size] = (await look(box, 'df -P -k /dev/shm | tail -n 1')).split(/ +/).slice(1, 2).map(Number)
  expect(health).toMatchObject({
    kernel: await look(box, 'uname -r'),
    container: (await box.exec('systemd-detect-virt --container')).stdout.trim(),
    driver: null,
    devices: [],
    services: ['nvidia-fabricmanager.service', 'nvidia-persistenced.service'].map((name) => ({
      ...{ name, loadState: 'not-found', activeState: 'inactive' },
    })),
    places: [{ mount: '/' }, { mount: '/dev/shm', sizeKiB: size }],
    // the double knows no columns, nor that word
    cards: { rc: 0, text: GPU_ROWS, columns: expect.stringMatching(/^index,uuid,.*,gpu_recovery_action$/) },
    unasked: null,
    links: { rc: 99 },
  })
  const total = Number(await look(box, "sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo"))
  expect(health.memory).toMatchObject({ totalKiB: total, availableKiB: expect.any(Number) })
  expect(health.memory.availableKiB).toBeLessThanOrEqual(total)
})

test('pci', async ({ ways, box }) => {
  const there = '/sys/bus/pci/devices/0000'
  await look(
    box,
    `mount -t tmpfs tmpfs /sys/bus
    for slot in 00:1f.2 01:00.0 41:00.0; do mkdir -p ${there}:$slot; echo 0x10de >${there}:$slot/vendor; echo 0x2230 >${there}:$slot/device
      echo 0x030200 >${there}:$slot/class; done
    echo 0x010601 >${there}:00:1f.2/class
    mkdir -p /sys/bus/pci/drivers/vfio-pci && ln -s ../../drivers/vfio-pci ${there}:41:00.0/driver`,
  )
  const card = { vendor: '0x10de', device: '0x2230', class: '0x030200' }
  expect(valueIn(await ways.same(pci, {})).cards).toEqual([
    { slot: '0000:01:00.0', ...card, driver: null },
    { slot: '0000:41:00.0', ...card, driver: 'vfio-pci' },
  ])
  await look(box, 'umount /sys/bus')
})

test('listeners, process, tree: from the port to the unit', async ({ ways, box, serve }) => {
  expect(serve).toBeTypeOf('function')
  const pid = Number(await show(box, 'sglang', 'MainPID'))
  const { enginePort: port } = box
  await vi.waitFor(() => look(box, `ss -H -ltn | grep -q ':${port} '`), 8000)
  // while it stands still, its memory does
  await look(box, `kill -STOP ${pid}`)
  const { listeners: all, processes } = valueIn(await ways.same(listeners, { port }))
  expect(all).toEqual([{ address: '127.0.0.1', port, pids: [pid] }])
  const cgroup = await show(box, 'sglang', 'ControlGroup')
  const argv = (await look(box, `tr '\\0' '\\n' </proc/${pid}/cmdline`)).split('\n')
  const facts = { pid, ppid: 1, owner: 'root', state: 'T', cgroup, argv, start: await startOf(box, pid) }
  expect(processes).toEqual([expect.objectContaining(facts)])
  await look(box, `kill -CONT ${pid}`)
  // the box shares its loopback, so that the queues of other listeners may move between two looks
  for (const delivery of DELIVERIES) {
    const { outcome } = await ways.ask(delivery, listeners, {})
    const ports = valueIn(outcome).value.listeners.map((one) => one.port)
    expect(ports).toEqual(expect.arrayContaining([port, box.host('operator').port]))
  }
})

test('process, tree: a parent and its child', async ({ ways, box }) => {
  const parent = Number(await show(box, 'quiet', 'MainPID'))
  const child = Number(await look(box, `pgrep -P ${parent}`))
  const facts = { ppid: parent, owner: 'root', comm: 'sleep', argv: ['sleep', 'infinity'] }
  const family = valueIn(await ways.same(process, { pid: child }))
  expect(family.process).toMatchObject({ ...facts, pid: child, start: await startOf(box, child) })
  expect(family.parent).toMatchObject({ pid: parent, ppid: 1, cgroup: '/system.slice/quiet.service' })
  expect(valueIn(await ways.same(tree, { unit: 'quiet' })).processes.map(({ pid }) => pid)).toEqual([parent, child])
  expect(valueIn(await ways.same(tree, { unit: 'stopped' })).processes).toEqual([])
  expect(kindOf(await ways.same(process, { pid: 4_194_303 }))).toBe('not-there')
})

test('model-files, versions, disk', async ({ ways, box }) => {
  const files = valueIn(await ways.same(modelFiles, { unit: 'served' }))
  expect(files).toMatchObject({ from: 'argv', path: MODEL, weightsBytes: 123_456 })
  const installed = valueIn(await ways.same(versions, { unit: 'venv' }))
  expect(installed).toEqual({
    packages: [
      { name: 'flashinfer_python', version: '0.6.2' },
      { name: 'sglang', version: '0.5.9' },
      { name: 'torch', version: '2.9.1+cu128' },
    ],
    driver: null,
    os: await look(box, '. /etc/os-release; echo "$PRETTY_NAME"'),
    kernel: await look(box, 'uname -r'),
  })
  const { places } = valueIn(await ways.same(disk, { unit: 'served' }))
  expect(places.map(({ mount }) => mount)).toEqual(['/', '/dev/shm'])
  const [root] = places
  const [size, used, free] = (await look(box, 'df -P -k / | tail -n 1')).split(/ +/).slice(1, 4).map(Number)
  expect(root).toMatchObject({ sizeKiB: size, usedKiB: used, freeKiB: free })
})

test('log, follow', async ({ ways, box }) => {
  const { lines } = valueIn(await ways.same(log, { unit: 'quiet', lines: 50 }))
  const told = (await look(box, 'journalctl -u quiet -o cat')).split('\n')
  expect(lines.map(({ text }) => text)).toEqual(told)
  expect(told).toContain('quiet is up')
  const after = lines.at(-1)?.cursor ?? ''
  await look(box, 'systemctl restart quiet')
  const fresh = await ways.follow(follow, { unit: 'quiet', seconds: 20, after }, 3)
  expect(fresh.map(({ text }) => text)).toContain('quiet is up')
})

test('stop, start, restart, opstat', async ({ ways, box }) => {
  const state = async () => show(box, 'stopped', 'ActiveState')
  expect(await ways.change(start, 'stopped', (fence) => ({ unit: 'stopped', fence }))).toMatchObject({
    ok: true,
    value: { state: 'done', said: '' },
  })
  await vi.waitFor(async () => expect(await state()).toBe('active'))
  valueIn(await ways.change(restart, 'stopped', (fence) => ({ unit: 'stopped', fence })))
  valueIn(await ways.change(stop, 'stopped', (fence) => ({ unit: 'stopped', fence })))
  await vi.waitFor(async () => expect(await state()).toBe('inactive'))
  expect(valueIn(await ways.same(opstat, { target: newOp() }))).toEqual({ state: 'never' })
  const op = newOp()
  await ways.ask('quick', start, { unit: 'stopped', fence: await ways.fence('stopped') }, op)
  expect(valueIn(await ways.same(opstat, { target: op }))).toMatchObject({ state: 'done', verb: 'start', rc: 0 })
  await vi.waitFor(async () => expect(await state()).toBe('active'))
  const fence = await ways.fence('stopped')
  for (const delivery of DELIVERIES) {
    const again = await ways.ask(delivery, start, { unit: 'stopped', fence }, op)
    expect(valueIn(again.outcome).value).toMatchObject({ state: 'already', generation: fence.generation })
  }
})

test('reset-failed, variant, kill', async ({ ways, box }) => {
  const die = async () => {
    await look(box, 'systemctl start dying')
    await vi.waitFor(async () => expect(await show(box, 'dying', 'ActiveState')).toBe('failed'))
  }
  valueIn(await ways.change(resetFailed, 'dying', (fence) => ({ unit: 'dying', fence }), die))
  expect(await show(box, 'dying', 'ActiveState')).toBe('inactive')
  await box.disk.write('/etc/pilotflame/variants/quiet/small.conf', '[Service]\nEnvironment=SIZE=small\n')
  valueIn(await ways.change(variant, 'quiet', (fence) => ({ unit: 'quiet', fence, variant: 'small' })))
  const reading = valueIn(await ways.same(unit, { unit: 'quiet' }, MEMORY))
  expect(reading).toMatchObject({ variant: 'small', variants: ['small'] })
  valueIn(await ways.change(variant, 'quiet', (fence) => ({ unit: 'quiet', fence, variant: null })))
  let victim = { pid: 0, start: 0 }
  const anew = async () => {
    await look(box, 'systemctl restart quiet')
    const pid = Number(await show(box, 'quiet', 'MainPID'))
    victim = { pid, start: await startOf(box, pid) }
  }
  const killing = (owner: string) => (fence: Fence) =>
    ({ unit: 'quiet', ...victim, owner, signal: 'TERM', fence }) as const
  await anew()
  expect(await ways.change(kill, 'quiet', killing('nobody'))).toMatchObject({
    failure: { kind: 'fence-stale', observed: expect.stringContaining('belongs to root now') },
  })
  expect(await show(box, 'quiet', 'ActiveState')).toBe('active')
  valueIn(await ways.change(kill, 'quiet', killing('root'), anew))
  await vi.waitFor(async () => expect(await show(box, 'quiet', 'ActiveState')).not.toBe('active'))
})

test('that was every verb there is, by both deliveries', ({ ways }) => {
  const all = DELIVERIES.flatMap((delivery) => verbs.map(({ name }) => `${delivery} ${name}`))
  expect([...ways.asked].toSorted()).toEqual(all.toSorted())
})
