import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { Disk } from '../../src/adapters/disk.ts'
import { openFailure } from '../../src/adapters/store-failure.ts'
import { sentence } from '../../src/domain/failure.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'pilotflame-disk-'))
const CHILD = fileURLToPath(new URL('store-child.ts', import.meta.url))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

describe('a start that fails says what is wrong with the disk', () => {
  const error = (errcode: number) => Object.assign(new Error('x'), { errcode })
  const said = (code: number, disk: Disk) => sentence(openFailure('/data/x.db', error(code), () => disk))
  const fine: Disk = { obstacle: null, free: 9e9 }

  test('a full one: nothing goes on by itself', () => {
    const full = { obstacle: null, free: 8192 } as const
    for (const text of [said(13, fine), said(10, full)])
      expect(text).toBe(
        'store /data/x.db: the disk is full. Next: free some space, then start Pilotflame again; nothing was changed.',
      )
    expect(said(10, fine)).toContain('look for I/O errors')
    expect(said(14, full)).toContain('cannot be opened')
  })

  test('one that is mounted for reading: no right that anybody gives helps', () => {
    for (const code of [8, 10, 14])
      expect(said(code, { obstacle: 'read-only', free: 9e9 })).toMatch(
        /^store \/data\/x\.db: its file system may only be read\. Next: mount it for writing \(findmnt -T \/data shows/,
      )
    expect(said(8, { obstacle: 'rights', free: 9e9 })).toContain('give the user that runs Pilotflame the right')
  })

  test('as a real disk shows it', () => {
    const mount = 'mount -t tmpfs -o size=40k none "$0" && echo mounted && "$@"; mount -o remount,ro "$0" && "$@"'
    const folder = join(ROOT, 'small')
    mkdirSync(folder)
    const opens = [process.execPath, CHILD, 'hold', join(folder, 'x.db')]
    const { stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', mount, folder, ...opens], { encoding: 'utf8' })
    const [first, ...told] = (stdout ?? '').trim().split('\n')
    if (first !== 'mounted') return console.warn('NOT PROVED: no private mount may be made here')
    expect(told.map((line) => JSON.parse(line).observed)).toEqual([
      'the disk is full',
      'its file system may only be read',
    ])
  })
})
