import { expect, test } from 'vitest'
import { disk, modelFiles, ping, versions } from '../../../src/domain/verbs/index.ts'
import { cut, reply } from './replies.ts'

const ALIAS = { unit: 'sglang' }

test('facts of the host', () => {
  const text =
    'gate=1\ndelivery=quick\nuser=llm\nuid=1000\nhost=gpu-box-1\nkernel=6.1.0\nos=Debian = 12\nboot=1c2d\nuptime=5123.45\ntime=1767225600\nsystemd=252\nsudo=yes\nstate=/var/lib/pilotflame\n'
  expect(ping.parse(reply({ ping: text }), {})).toEqual({
    ok: true,
    value: {
      delivery: 'quick',
      user: 'llm',
      uid: 1000,
      hostName: 'gpu-box-1',
      kernel: '6.1.0',
      os: 'Debian = 12',
      bootId: '1c2d',
      uptimeS: 5123,
      timeMs: 1767225600000,
      systemd: '252',
      sudo: true,
      stateDir: '/var/lib/pilotflame',
    },
  })
})

test.each([
  ['uid=root', { uid: null }],
  ['uptime=soon', { uptimeS: null }],
  ['uptime=', { uptimeS: null }],
  ['time=-5', { timeMs: null }],
  ['time=1e9', { timeMs: null }],
  ['systemd=none', { systemd: null }],
  ['sudo=no', { sudo: false }],
  ['sudo=maybe', { sudo: null }],
  ['state=none', { stateDir: null }],
  ['os=', { os: null }],
  ['no equals sign', { user: null }],
  ['=value', { user: null }],
  ['user=a\nuser=b', { user: 'a' }],
  ['', { user: null, sudo: null, timeMs: null }],
])('of %j', (text, expected) => {
  expect(ping.parse(reply({ ping: text }), {})).toMatchObject({ ok: true, value: expected })
})

const df = (text: string, rc = 0) => disk.parse(reply({ disk: [rc, text] }), ALIAS)
const HEADER = 'Filesystem     1024-blocks     Used Available Capacity Mounted on'

test('free space, each place once', () => {
  const root = '/dev/vda         264212084 28297552  78093360      27% /'
  expect(df(`${HEADER}\n${root}\n${root}\nnas:/my models 10 9 1 90% /mnt/my models\n`)).toEqual({
    ok: true,
    value: {
      places: [
        { device: '/dev/vda', mount: '/', sizeKiB: 264212084, usedKiB: 28297552, freeKiB: 78093360 },
        { device: 'nas:/my models', mount: '/mnt/my models', sizeKiB: 10, usedKiB: 9, freeKiB: 1 },
      ],
    },
  })
})

test.each([
  ['proc - - - - /proc'],
  ['/dev/x 10 9 1 90% relative'],
  ['/dev/x 10 9 -1 90% /'],
  ['10 9 1 90% /'],
  ['/dev/x 10 9 1 90%'],
  ['df: /mnt: Stale file handle'],
])('no place: %j', (line) => {
  expect(df(`${HEADER}\n/dev/vda 10 9 1 90% /\n${line}\n`, 1)).toMatchObject({
    ok: true,
    value: { places: [{ mount: '/' }] },
  })
  expect(df(`${line}\n`)).toMatchObject({ ok: false, failure: { thing: 'df' } })
})

test('a disk that hangs', () => {
  expect(df(`${HEADER}\n/dev/vda 10 9 1 90% /\n`, 124)).toMatchObject({
    ok: false,
    failure: { kind: 'deadline', next: expect.stringMatching(/disk/) },
    partial: { places: [{ mount: '/' }] },
  })
  expect(disk.words({})).toEqual([])
})

const model = (sections: Parameters<typeof reply>[0]) =>
  modelFiles.parse(reply({ place: 'units /models/a b\n', ...sections }), ALIAS)

test('the files of a model', () => {
  expect(
    model({
      list: '12 config.json\n4902257696 with blanks.safetensors\nx bad\n5\n5 \n-1 y\n',
      'config.json': '{"a":[1]}',
      index: '{"metadata":{"total_size": 16381470720},"weight_map":{"lm',
      card: 'sglang>=0.4\n\ntemperature=0.6\n',
    }),
  ).toEqual({
    ok: true,
    value: {
      from: 'units',
      path: '/models/a b',
      files: [
        { name: 'config.json', bytes: 12 },
        { name: 'with blanks.safetensors', bytes: 4902257696 },
      ],
      config: { state: 'read', value: { a: [1] } },
      generationConfig: { state: 'absent' },
      weightsBytes: 16381470720,
      card: ['sglang>=0.4', 'temperature=0.6'],
    },
  })
})

test.each([
  ['{"total_size":5.0}', 5],
  ['{"total_size":5.5}', null],
  ['{"total_size":"5"}', null],
  ['{"total_size":5', null],
  ['{"total_size":1e9}', null],
  ['{"total_size":99999999999999999999}', null],
  ['{}', null],
])('weights by the index %j', (index, weightsBytes) => {
  expect(model({ index })).toMatchObject({ value: { weightsBytes } })
})

test.each([
  ['{', /no JSON/],
  ['', /no JSON/],
  ['version https://git-lfs.github.com/spec/v1', /no JSON/],
  ['['.repeat(100), /no JSON/],
])('settings that are no JSON: %.10j', (text, said) => {
  expect(model({ 'config.json': text })).toMatchObject({
    value: { config: { state: 'broken', said: expect.stringMatching(said) } },
  })
})

test('settings that were cut or could not be read', () => {
  const place = reply({ place: 'argv /m' }).sections
  expect(
    modelFiles.parse({ ...reply({}), sections: [...place, ...cut('config.json', '{}').sections] }, ALIAS),
  ).toMatchObject({ value: { from: 'argv', config: { state: 'broken', said: expect.stringMatching(/larger/) } } })
  expect(model({ 'config.json': [1, 'Permission denied'] })).toMatchObject({
    value: { config: { state: 'broken', said: 'Permission denied' } },
  })
})

test.each([[''], ['units'], ['units models'], ['elsewhere /m'], ['/models/a']])('no place: %j', (place) => {
  expect(model({ place })).toMatchObject({ ok: false, failure: { kind: 'gate-garbled', thing: 'section place' } })
})

const installed = (sections: Parameters<typeof reply>[0]) => versions.parse(reply({ packages: '', ...sections }), ALIAS)

test.each([
  ['sglang-0.5.9.dist-info', [{ name: 'sglang', version: '0.5.9' }]],
  ['torch-2.9.1+cu129.dist-info', [{ name: 'torch', version: '2.9.1+cu129' }]],
  ['flashinfer_python-0.6.1rc2.post1.dist-info', [{ name: 'flashinfer_python', version: '0.6.1rc2.post1' }]],
  ['sglang-0.0.0.dev1+g1a2b3c.dist-info', [{ name: 'sglang', version: '0.0.0.dev1+g1a2b3c' }]],
  ['sglang.dist-info', []],
  ['sglang-latest.dist-info', []],
  ['sglang-0.5.9.egg-info', []],
  ['ls: cannot access', []],
  ['a b-1.dist-info', []],
])('package %j', (line, packages) => {
  expect(installed({ packages: `${line}\n` })).toMatchObject({ ok: true, value: { packages } })
})

test.each([
  ['NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.261.03  Thu Jun  5', '535.261.03'],
  ['NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build', '580.95.05'],
  ['NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  580.95  Release', '580.95'],
  ['GCC version:  gcc version 12.2.0', null],
  ['cat: /proc/driver/nvidia/version: No such file or directory', null],
  ['', null],
])('driver of %j', (driver, expected) => {
  expect(installed({ driver })).toMatchObject({ value: { driver: expected } })
})

test.each([
  [
    'PRETTY_NAME=Debian GNU/Linux 12 (bookworm)\nkernel=6.1.0-38-amd64\n',
    'Debian GNU/Linux 12 (bookworm)',
    '6.1.0-38-amd64',
  ],
  ['PRETTY_NAME=\nkernel=6.8.0\n', null, '6.8.0'],
  ['Debian\n', null, null],
  ['', null, null],
])('system of %j', (os, name, kernel) => {
  expect(installed({ os })).toMatchObject({ value: { os: name, kernel } })
})
