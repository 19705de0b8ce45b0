import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { endOf, GPU_HOLDERS, lookAt } from '../../src/judge/remedies.ts'

const JUDGE = fileURLToPath(new URL('../../src/judge/', import.meta.url))
const files = globSync('**/*.ts', { cwd: JUDGE })

/** Commands that take something down, or that several rules name: written once, so that they cannot drift apart. */
test.each([
  '--query-compute-apps=',
  'rmmod nvidia_uvm nvidia_drm',
  '--gpu-reset -i ',
  'ps -o pid,ppid,user,lstart,unit',
])('%s is written in remedies.ts alone', (words) => {
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(`${JUDGE}${file}`, 'utf8').includes(words))).toEqual(['remedies.ts'])
})

test('a process is looked at before it is ended, and one that nobody named is listed first', () => {
  expect(endOf('4242').indexOf(lookAt('4242'))).toBeGreaterThanOrEqual(0)
  expect(endOf('4242').indexOf(lookAt('4242'))).toBeLessThan(endOf('4242').indexOf('kill 4242'))
  expect(endOf(null)).toContain(GPU_HOLDERS)
  expect(endOf(null).indexOf(lookAt('PID'))).toBeLessThan(endOf(null).indexOf('kill PID'))
})
