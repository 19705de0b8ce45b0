import { expect, test } from 'vitest'
import { dmesgGpu, gpu, gpuProcesses, pci } from '../../../src/domain/verbs/index.ts'
import { GPU_ROWS, processLine, reply } from './replies.ts'

const HEAD = '0, GPU-8f6b1c2d-0000-1111-2222-333344445555, 00000000:01:00.0, NVIDIA X, 535.261.03'
const read = (text: string, rc = 0) => gpu.parse(reply({ gpu: [rc, text] }), {})

test('every column of a row', () => {
  expect(read(GPU_ROWS)).toEqual({
    ok: true,
    value: {
      gpus: [
        {
          index: 0,
          uuid: 'GPU-8f6b1c2d-0000-1111-2222-333344445555',
          slot: '00000000:01:00.0',
          name: 'NVIDIA RTX A6000',
          driver: '535.261.03',
          memoryTotalMiB: 49140,
          memoryUsedMiB: 43210,
          utilization: 0,
          temperature: 41,
          powerW: 22.18,
          powerLimitW: 300,
          fan: 30,
          pstate: 'P8',
          lost: false,
          needsReset: false,
          gaps: [],
        },
        expect.objectContaining({ index: 1, utilization: 97, powerW: 288.01, pstate: 'P2' }),
      ],
      notes: [],
    },
  })
})

test.each([
  ['[N/A]', 'unsupported', false, false],
  ['N/A', 'unsupported', false, false],
  ['[Not Supported]', 'unsupported', false, false],
  ['[GPU is lost]', 'lost', true, false],
  ['[GPU requires reset]', 'needs-reset', false, true],
  ['[Insufficient Permissions]', 'hidden', false, false],
  ['[Unknown Error]', 'failed', false, false],
  ['ERR!', 'failed', false, false],
  ['', 'failed', false, false],
  ['12 W', 'failed', false, false],
  ['nan', 'failed', false, false],
  ['1e5', 'failed', false, false],
  ['0x10', 'failed', false, false],
])('a cell %j is not known: %s', (cell, why, lost, needsReset) => {
  const row = read(`${HEAD}, 49140, 12, 0, 41, ${cell}, 300.00, ${cell}, P8\n`)
  expect(row).toMatchObject({
    ok: true,
    value: {
      gpus: [
        {
          powerW: null,
          fan: null,
          memoryUsedMiB: 12,
          lost,
          needsReset,
          gaps: [
            { field: 'powerW', why, said: cell },
            { field: 'fan', why, said: cell },
          ],
        },
      ],
    },
  })
})

test('a GPU off the bus keeps its address, and its neighbour its readings', () => {
  const lost = Array.from({ length: 9 }, () => '[GPU is lost]').join(', ')
  const row = `0, [GPU is lost], 00000000:01:00.0, [GPU is lost], ${lost}`
  expect(read(`${row}\n${GPU_ROWS.split('\n')[1]}\n`)).toMatchObject({
    ok: true,
    value: {
      gpus: [
        { index: 0, uuid: null, slot: '00000000:01:00.0', name: null, pstate: null, memoryUsedMiB: null, lost: true },
        { index: 1, lost: false, memoryUsedMiB: 43188 },
      ],
    },
  })
})

test('warnings around the rows are kept as notes', () => {
  const warning = 'WARNING: infoROM is corrupted at gpu 0000:01:00.0'
  const commas = 'a, b, c, d, e, f, g, h, i, j, k, l, m'
  expect(read(`${warning}\n\n${GPU_ROWS}${commas}\n`)).toMatchObject({
    ok: true,
    value: { gpus: [{ index: 0 }, { index: 1 }], notes: [warning, commas] },
  })
})

test.each([
  [
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
    9,
    /ended with 9: NVIDIA-SMI has failed/,
    /driver is loaded/,
  ],
  ["NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", 12, /with 12/, /libnvidia-ml/],
  [
    'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.178',
    18,
    /with 18/,
    /reboot.*leave them alone/,
  ],
  ['Mismatch in versions between nvidia-smi and NVML.', 255, /with 255/, /reboot/],
  ['Failed to initialize NVML: Unknown Error', 255, /Unknown Error/, /container/],
  [
    'Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.  Reboot the system to recover this GPU',
    15,
    /with 15: Unable/,
    /reboot/,
  ],
  ['Field "pstat" is not a valid field to query.', 2, /with 2: Field/, /update the NVIDIA driver/],
  ['No devices were found', 6, /with 6: No devices/, /kernel log/],
  ['No devices were found', 0, /something else than was asked for: No devices/, /kernel log/],
  ['', 0, /printed nothing/, /by hand/],
  ['', 3, /ended with 3 and said nothing/, /by hand/],
  ['Segmentation fault', 139, /ended with 139: Segmentation/, /by hand/],
])('nvidia-smi that says %j with %i', (text, rc, observed, next) => {
  expect(read(`${text}\n`, rc)).toMatchObject({
    ok: false,
    failure: {
      kind: 'exit',
      thing: 'nvidia-smi',
      observed: expect.stringMatching(observed),
      next: expect.stringMatching(next),
    },
  })
})

test.each([
  ['timeout: failed to run command: No such file', 127, 'tool-missing', /driver's tools.*container/],
  ['', 124, 'deadline', /hangs/],
  ['Killed', 137, 'exit', /./],
  ['Permission denied', 126, 'permission', /right to run/],
])('nvidia-smi that does not run: %j with %i', (text, rc, kind, next) => {
  expect(read(text, rc)).toMatchObject({ ok: false, failure: { kind, next: expect.stringMatching(next) } })
})

test('rows before a failure are handed on', () => {
  expect(read(`${GPU_ROWS}Failed to query device index\n`, 15)).toMatchObject({
    ok: false,
    failure: { kind: 'exit' },
    partial: { gpus: [{ index: 0 }, { index: 1 }], notes: ['Failed to query device index'] },
  })
})

const apps = (text: string, rc = 0, processes = '') => gpuProcesses.parse(reply({ apps: [rc, text], processes }), {})

test.each([
  ['GPU-1, 4242, python, 43010', { gpuUuid: 'GPU-1', pid: 4242, name: 'python', memoryMiB: 43010 }],
  ['GPU-1, 9, a, b, c, 1', { pid: 9, name: 'a, b, c', memoryMiB: 1 }],
  ['GPU-1, 9, [Not Found], 420', { name: null, memoryMiB: 420 }],
  ['[GPU is lost], 9, [Insufficient Permissions], [N/A]', { gpuUuid: null, name: null, memoryMiB: null }],
])('a process %j', (line, expected) => {
  expect(apps(`${line}\n`)).toMatchObject({ ok: true, value: { processes: [{ ...expected, facts: null }], notes: [] } })
})

test('a process is joined with what /proc tells of it', () => {
  const processes = `${processLine(4242, 1, ['sglang::scheduler_TP0'])}\n${processLine(5, 1, ['other'])}\n`
  expect(apps('GPU-1, 4242, [Not Found], 1\nGPU-1, 77, x, 1\n', 0, processes)).toMatchObject({
    value: { processes: [{ facts: { pid: 4242, argv: ['sglang::scheduler_TP0'] } }, { pid: 77, facts: null }] },
  })
})

test.each([[''], ['\n'], ['No running processes found\n']])('no process at all: %j', (text) => {
  expect(apps(text)).toEqual({ ok: true, value: { processes: [], notes: [] } })
})

test.each([
  ['No devices were found', 0],
  ['No devices were found', 6],
  ['GPU-1, pid, name, 5', 0],
  ['GPU-1, 5', 0],
  ['GPU-1, -5, name, 5', 0],
  ['', 9],
])('no answer: %j with %i', (text, rc) => {
  expect(apps(text, rc)).toMatchObject({ ok: false, failure: { kind: 'exit', thing: 'nvidia-smi' } })
})

const XID = 'NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.'

test.each([
  ['dmesg', `2026-01-01T00:00:00,123456+00:00 ${XID}`, 1767225600123, XID],
  ['dmesg', `2026-01-01T01:00:00,5+01:00 ${XID}`, 1767225600500, XID],
  ['journal', `2026-01-01T00:00:00+0000 gpu-box-1 kernel: ${XID}`, 1767225600000, XID],
  ['journal', `2025-12-31T19:00:00-05:00 gpu-box-1 kernel: ${XID}`, 1767225600000, XID],
  ['dmesg', `2026-01-01T00:00:00Z ${XID}`, 1767225600000, XID],
  ['dmesg', `[  12.345678] ${XID}`, null, `[  12.345678] ${XID}`],
  ['dmesg', `2026-13-41T99:00:00+00:00 ${XID}`, null, XID],
])('%s: %s', (name, line, at, text) => {
  expect(dmesgGpu.parse(reply({ [name]: `${line}\n` }), {})).toEqual({ ok: true, value: { lines: [{ at, text }] } })
})

test('a kernel log that says nothing of GPUs is an answer, one that may not be read is not', () => {
  expect(dmesgGpu.parse(reply({ dmesg: '' }), {})).toEqual({ ok: true, value: { lines: [] } })
  const denied = 'dmesg: read kernel buffer failed: Operation not permitted'
  expect(dmesgGpu.parse(reply({ dmesg: [1, denied] }), {})).toMatchObject({
    ok: false,
    failure: { kind: 'permission', thing: 'dmesg', observed: expect.stringContaining(denied) },
  })
  expect(dmesgGpu.parse(reply({ journal: [1, 'No journal files were found.'] }), {})).toMatchObject({
    ok: false,
    failure: { kind: 'exit', thing: 'journalctl' },
  })
})

test('cards on the bus and who has them', () => {
  const text = [
    '0000:01:00.0 0x10de 0x2230 0x030000 vfio-pci',
    '10000:41:00.0 0x1002 0x74a1 0x038000 -',
    'too few words',
    '0000:01:00.0 10de 0x2230 0x030000 nvidia',
    '0000:01:00 0x10de 0x2230 0x030000 nvidia',
    '0000:01:00.0 0x10de 0x2230 0x030000 two drivers',
  ].join('\n')
  expect(pci.parse(reply({ pci: text }), {})).toEqual({
    ok: true,
    value: {
      cards: [
        { slot: '0000:01:00.0', vendor: '0x10de', device: '0x2230', class: '0x030000', driver: 'vfio-pci' },
        { slot: '10000:41:00.0', vendor: '0x1002', device: '0x74a1', class: '0x038000', driver: null },
      ],
    },
  })
  expect(pci.parse(reply({ pci: '' }), {})).toEqual({ ok: true, value: { cards: [] } })
})
