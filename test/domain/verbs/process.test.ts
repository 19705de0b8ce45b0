import { expect, test } from 'vitest'
import { listeners, process, tree } from '../../../src/domain/verbs/index.ts'
import { readProcess } from '../../../src/domain/verbs/process-line.ts'
import { base64, processLine, reply } from './replies.ts'

const line = (argv = '-', comm = '-', cgroup = '-') => `77 1 4242 llm S 100 ${cgroup} ${comm} ${argv}`

test('every word of a process', () => {
  expect(
    readProcess(line(base64('/venv/bin/python\0-m\0sglang\0'), base64('python\n'), base64('/system.slice/a b'))),
  ).toEqual({
    pid: 77,
    ppid: 1,
    start: 4242,
    owner: 'llm',
    state: 'S',
    rssKiB: 100,
    cgroup: '/system.slice/a b',
    comm: 'python',
    argv: ['/venv/bin/python', '-m', 'sglang'],
  })
})

test.each([
  ['nothing', '-', []],
  ['a title with NULs behind it', base64(`sglang::scheduler_TP0${'\0'.repeat(50)}`), ['sglang::scheduler_TP0']],
  ['no NUL at the end', base64('a\0b'), ['a', 'b']],
  ['an empty argument between', base64('a\0\0b\0'), ['a', '', 'b']],
  ['only NULs', base64('\0\0'), []],
  ['other letters', base64('größe\0'), ['größe']],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0]).toString('base64'), ['\uFFFD']],
  ['no base64', '!!!!', []],
  ['cut base64', 'abcde', []],
  ['base64url', 'ab_-', []],
])('arguments: %s', (_, argv, expected) => {
  expect(readProcess(line(argv))).toMatchObject({ argv: expected, cgroup: null, comm: null })
})

test.each([
  [''],
  ['77'],
  [line().slice(0, -2)],
  [`${line()} more`],
  [line().replace('77 1', '-77 1')],
  [line().replace('77 1', '77 x')],
  [line().replace('4242', '4242.5')],
  [line().replace('4242', '99999999999999999')],
  [line().replace(' S ', ' SS ')],
  [line().replace(' S ', ' ? ')],
  [line().replace(' 100 ', ' 1e3 ')],
  ['bash: /proc/77/stat: No such file or directory here at all'],
])('no process: %j', (text) => {
  expect(readProcess(text)).toBeNull()
})

const parent = processLine(10, 1, ['python'])
const child = processLine(20, 10, ['sglang::detokenizer'])

test('a process and its parent', () => {
  const read = process.parse(reply({ processes: `${child}\n${parent}\n` }), { pid: 20 })
  expect(read).toMatchObject({ ok: true, value: { process: { pid: 20 }, parent: { pid: 10 } } })
  expect(process.parse(reply({ processes: child }), { pid: 20 })).toMatchObject({ value: { parent: null } })
})

test.each([[''], [parent], ['nonsense']])('a process that ended meanwhile: %.20j', (text) => {
  expect(process.parse(reply({ processes: text }), { pid: 20 })).toMatchObject({
    ok: false,
    failure: { kind: 'not-there', thing: 'process 20' },
  })
})

test('all processes of a unit', () => {
  const alias = { unit: 'sglang' }
  expect(tree.parse(reply({ processes: `${parent}\nnonsense\n${child}\n` }), alias)).toMatchObject({
    ok: true,
    value: { processes: [{ pid: 10 }, { pid: 20 }], truncated: false },
  })
  expect(tree.parse(reply({ processes: '' }), alias)).toEqual({ ok: true, value: { processes: [], truncated: false } })
  const many = Array.from({ length: 256 }, (_, at) => processLine(at + 2, 1, ['x'])).join('\n')
  expect(tree.parse(reply({ processes: many }), alias)).toMatchObject({ value: { truncated: true } })
})

const listening = (local: string, users = '') => `LISTEN 0      128    ${local} 0.0.0.0:* ${users}   `

test.each([
  ['127.0.0.1:30000', '127.0.0.1', 30000],
  ['0.0.0.0:22', '0.0.0.0', 22],
  ['*:8080', '*', 8080],
  ['[::]:22', '::', 22],
  ['[::1]:30000', '::1', 30000],
  ['[::ffff:127.0.0.1]:1', '::ffff:127.0.0.1', 1],
  ['127.0.0.53%lo:53', '127.0.0.53', 53],
  ['[fe80::1]%eth0:546', 'fe80::1', 546],
])('listens on %s', (local, address, port) => {
  expect(listeners.parse(reply({ listeners: listening(local) }), {})).toMatchObject({
    ok: true,
    value: { listeners: [{ address, port, pids: [] }], processes: [] },
  })
})

test.each([
  ['users:(("python",pid=12,fd=3))', [12]],
  ['users:(("nginx",pid=7,fd=8),("nginx",pid=9,fd=8),("nginx",pid=7,fd=9))', [7, 9]],
  ['users:(("a b, c",pid=5,fd=1))', [5]],
  ['users:(("x",pid=,fd=1))', []],
  ['users:(("x",pid=99999999999999999999,fd=1))', []],
  ['', []],
])('%j', (users, pids) => {
  expect(listeners.parse(reply({ listeners: listening('*:1', users) }), {})).toMatchObject({
    value: { listeners: [{ pids }] },
  })
})

test.each([
  ['ESTAB 0 0 127.0.0.1:1 127.0.0.1:2'],
  ['LISTEN 0 128 nocolon *:*'],
  ['LISTEN 0 128 :80 *:*'],
  ['LISTEN 0 128 1.2.3.4:* *:*'],
  ['LISTEN 0 128 1.2.3.4:65536 *:*'],
  ['LISTEN 0 128 1.2.3.4:http *:*'],
  ['State Recv-Q Send-Q Local Peer'],
  ['LISTEN'],
])('listens nowhere: %j', (text) => {
  expect(listeners.parse(reply({ listeners: text }), {})).toEqual({ ok: true, value: { listeners: [], processes: [] } })
})

test('ss that fails', () => {
  expect(listeners.parse(reply({ listeners: [1, 'sudo: a password is required'] }), {})).toMatchObject({
    ok: false,
    failure: { kind: 'sudo', thing: 'ss' },
  })
  expect(listeners.words({})).toEqual([])
})
