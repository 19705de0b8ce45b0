/**
 * Builds dist/: main.js (guard, compile cache) → pilotflame.js (the command line) → house.js (everything that serves);
 * demo.js is the lab, loaded on first use, with its page/ beside it. Pure JavaScript: no native part is bundled.
 */
import { chmodSync, copyFileSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { build } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** `node scripts/build.ts FOLDER` builds somewhere else, for tests and benchmarks. */
const DIST = resolve(ROOT, process.argv[2] ?? 'dist')

/**
 * Another user could lay code into a cache below a shared /tmp, so it goes into the user's own folder. Node writes it at
 * an orderly end only; a bot that runs until it is killed would never have one.
 */
const MAIN = `#!/usr/bin/env node
import './guard.cjs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pilotflame'))
setTimeout(() => module.flushCompileCache(), 10_000).unref()
await import('./pilotflame.js')
`

/** What only the lab uses. */
const LAB = /\/src\/(?:main|demo|lab\/.*)\.ts$|\/node_modules\/ws\//

/** Bolt loads its HTTP receivers with all of Express; we speak Socket Mode only. It saves a fifth of the start. */
const UNUSED = ['express', '@slack/oauth']
const withoutUnused: Plugin = {
  name: 'without-unused',
  resolveId: (id) => (UNUSED.includes(id) ? `\0unused:${id}` : null),
  load: (id) => (id.startsWith('\0unused:') ? 'export {}' : null),
}

/** Where somebody let npm compile ssh2's helpers: a require that fails, so that ssh2 goes on in JavaScript. */
const withoutNative: Plugin = {
  name: 'without-native',
  resolveId: (id) => (id.endsWith('.node') ? `\0native:${id}` : null),
  load: (id) => (id.startsWith('\0native:') ? `module.exports = null; throw new Error('no native code here')` : null),
}

rmSync(DIST, { recursive: true, force: true })
await build({
  input: { pilotflame: join(ROOT, 'src/main.ts') },
  platform: 'node',
  // optional native helpers of ssh2 and ws: their users do without, silently
  external: ['cpu-features', 'bufferutil', 'utf-8-validate'],
  // the same library without its Redis parts, which call eval
  resolve: { alias: { bottleneck: 'bottleneck/light.js' } },
  plugins: [withoutUnused, withoutNative],
  transform: { define: { __dirname: 'import.meta.dirname' } },
  output: {
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // what serving and the lab share: neither may import the other's file, since main awaits the lab
    codeSplitting: { groups: [{ name: 'house', test: (id) => !LAB.test(id) }] },
    minify: true,
    // a stack trace must name our functions
    keepNames: true,
    sourcemap: false,
  },
})
writeFileSync(join(DIST, 'package.json'), '{ "type": "module" }\n')
writeFileSync(join(DIST, 'main.js'), MAIN)
chmodSync(join(DIST, 'main.js'), 0o755)
copyFileSync(join(ROOT, 'scripts/guard.cjs'), join(DIST, 'guard.cjs'))
copyFileSync(join(ROOT, 'deploy/host/pilotflame-gate'), join(DIST, 'pilotflame-gate'))
cpSync(join(ROOT, 'src/lab/slack/page'), join(DIST, 'page'), { recursive: true })

for (const name of readdirSync(DIST)) {
  const { size } = statSync(join(DIST, name))
  if (name.endsWith('.js')) console.log(`${join(DIST, name)}  ${Math.ceil(size / 1024)} KiB`)
}
