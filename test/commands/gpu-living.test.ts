import { expect, test } from 'vitest'
import { ask, rowsOf, SERVED } from './gpu-fleet.ts'
import type { GpuHost } from './gpu-hosts.ts'
import { loaded, on, row } from './gpu-hosts.ts'

const lives = async (told: GpuHost, names: readonly string[], column = 7) => {
  const targets = names.map((name) => on('box', name))
  return rowsOf(await ask('/gpu status', { box: told }, { targets })).map((cells) => cells[column])
}
const held = (cgroup: string, units: readonly string[] = ['qwen sglang.service']): GpuHost => ({
  cards: [loaded(0)],
  apps: ['GPU-0, 4711, /usr/bin/python3, 43010'],
  processes: [[4711, 'ben', cgroup, 'python3']],
  units,
})

test.each<[name: string, told: GpuHost, targets: readonly string[], words: string]>([
  ['its unit', held('/system.slice/sglang.service'), ['qwen', 'spare'], 'qwen'],
  ['an instance of a template', held('/system.slice/a.slice/s@1.service', ['qwen s@1.service']), ['qwen'], 'qwen'],
  ['a container: the only target is likely', held('/system.slice/docker-0a1b.scope'), ['qwen'], 'probably qwen'],
  ['a container: one of two', held('/system.slice/docker-0a1b.scope'), ['qwen', 'spare'], 'qwen or spare'],
  ['a container: one of many', held('/docker/0a1b'), ['a', 'b', 'c', 'd'], 'one of 4 targets'],
  ['a person', held('/user.slice/user-1000.slice/session-3.scope'), ['qwen'], 'python3 of ben'],
  ['a container, and no target', held('/docker/0a1b'), [], 'python3 of ben'],
  ['a unit of which nothing may be said here', held('/system.slice/sglang.service'), ['spare'], 'another unit'],
  ['a unit of nearly the same name', held('/system.slice/sglang.service.d'), ['qwen'], 'probably qwen'],
  ['a list that is empty, as in a container', { cards: [loaded(0)] }, ['qwen'], 'probably qwen'],
  ['nobody on a free card', { cards: [row(0)] }, ['qwen'], ''],
])('%s', async (_name, told, targets, words) => {
  expect(await lives(told, targets)).toEqual([words])
})

test('of a unit with two names both are told, and what stands on no card is in the title', async () => {
  const targets = [on('box', 'qwen'), { ...on('box', 'qwen-alias'), unit: 'qwen' }, on('box', 'cpu-only')]
  const told = await ask('/gpu status', { box: SERVED }, { targets })
  expect(rowsOf(told).map((cells) => cells[7])).toEqual(['qwen, qwen-alias', ''])
  expect(told.tables[0]?.title).toBe('box: 2 GPUs · on no GPU: cpu-only')
})

test('a card that shares the memory of its host is in use where somebody is seen on it', async () => {
  const card = row(0, { name: 'NVIDIA GB10', total: '[N/A]', used: '[N/A]' })
  const told: GpuHost = { ...held('/system.slice/sglang.service'), cards: [card] }
  const free: GpuHost = { cards: [card] }
  expect(await lives(told, ['qwen'], 6)).toEqual(['Loaded, no work'])
  expect(await lives(free, ['qwen'], 6)).toEqual(['Free'])
})
