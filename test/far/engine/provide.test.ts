import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test as base, expect, vi } from 'vitest'
import { listen } from '../../../src/lab/listen.ts'
import type { Places } from './provide.ts'
import { provideEngine } from './provide.ts'

/** A mirror and a registry that take calls and never answer, an archive with an engine, and an empty cache. */
const test = base.extend<{ places: Places & { readonly archive: string } }>({
  async places({ skip }, use) {
    skip(process.platform !== 'linux' || process.arch !== 'x64', 'engine sources: this is not Linux x64')
    await access('/usr/bin/apt-get').catch(() => skip('engine sources: apt-get is not there'))
    const folder = await mkdtemp(join(tmpdir(), 'pilotflame-provide-'))
    const silent = createServer()
    const url = `http://127.0.0.1:${await listen(silent, 0)}`
    vi.stubEnv('npm_config_registry', url)
    const archive = await packedEngine(folder)
    await use({ cache: join(folder, 'cache'), mirror: `${url}/debian`, archive, only: null, limitMs: 500 })
    vi.unstubAllEnvs()
    silent.close()
    await rm(folder, { recursive: true })
  },
})

test('a mirror that never answers costs its limit, then the archive is unpacked, and then kept', async ({ places }) => {
  const told: string[] = []
  const tell = (line: string) => told.push(line)
  expect(await provideEngine(places, tell)).toMatchObject({ from: places.archive, version: '7 (of a test)' })
  expect(told).toEqual(['engine not from the cache: empty', 'engine not from Debian sid: nothing within 0.5 s'])
  expect(await readdir(places.cache)).toEqual(['engine'])
  expect(await provideEngine(places, tell)).toMatchObject({ from: 'the cache', version: '7 (of a test)' })
  expect(told).toHaveLength(2)
})

test('where nothing answers, all reasons are told in order', async ({ places }) => {
  const nowhere = provideEngine({ ...places, archive: null }, () => {})
  await expect(nowhere).rejects.toThrow(
    [
      'the cache: empty',
      'Debian sid: nothing within 0.5 s',
      'PILOTFLAME_ENGINE_ARCHIVE: not set',
      'npm, llama.cpp behind a front of our own: nothing within 0.5 s',
    ].join('; '),
  )
  expect(await readdir(places.cache)).toEqual([])
})

test('a mirror that refuses is named with what apt says', async ({ places }) => {
  const mirror = 'http://127.0.0.1:1/debian'
  const refused = provideEngine({ ...places, mirror, only: 'debian', limitMs: 20_000 }, () => {})
  await expect(refused).rejects.toThrow(/^Debian sid: .*apt-get update.*127\.0\.0\.1:1/)
})

test('an archive without an engine is refused and leaves nothing', async ({ places }) => {
  const { archive } = places
  await promisify(execFile)('tar', ['-cf', archive, '-T', '/dev/null'])
  await expect(provideEngine({ ...places, only: 'archive' }, () => {})).rejects.toThrow(`${archive}: `)
  expect(await readdir(places.cache)).toEqual([])
})

/** Where the dynamic linker of the real one is, there is a script which says a version. */
async function packedEngine(folder: string): Promise<string> {
  const lib = 'usr/lib/x86_64-linux-gnu'
  const archive = join(folder, 'engine.tar')
  await mkdir(join(folder, lib), { recursive: true })
  await writeFile(join(folder, lib, 'ld-linux-x86-64.so.2'), "#!/bin/sh\necho 'version: 7 (of a test)'\n", {
    mode: 0o755,
  })
  await promisify(execFile)('tar', ['-cf', archive, '-C', folder, 'usr'])
  return archive
}
