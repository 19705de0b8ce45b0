import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { carryOut } from './carry-out.ts'
import type { Fault, Site } from './closed-loop-faults.ts'
import { FAULTS } from './closed-loop-faults.ts'
import type { Setup, Trial } from './desk.ts'
import { others, tryOut } from './desk.ts'
import type { Program } from './engine/program.ts'
import { test as farTest } from './far-test.ts'
import { freePort } from './process.ts'
import type { Step } from './remedy-script.ts'
import { readRemedy } from './remedy-script.ts'
import { makeHome } from './sglang-double/home.ts'

/*
 * Closed loop: a fault is caused, the product names it, a script that knows nothing of the fault does what the first
 * remedy says, and the smoke is healthy. Where the model itself matters a real llama-server serves one of ours; what only
 * SGLang or vLLM does is played by a double of it.
 */

const test = farTest.extend<{ site: Site }>({
  async site({ farSide: { engine } }, use) {
    const home = await mkdtemp(join(tmpdir(), 'pilotflame-loop-'))
    const site = { home, port: await freePort(), others: others(), engine: engine.there ? engine.it.program : null }
    await use(site)
    await site.others.endAll()
    await rm(home, { recursive: true })
  },
})

const rows: string[] = []

test.for(FAULTS)('$name', async (fault, { site, farSide, skip }) => {
  const { home, port } = site
  if (fault.real === true && !isLlamaServer(site.engine)) {
    const why = farSide.engine.there ? 'it wants llama-server itself' : farSide.engine.why
    if (farSide.required && !farSide.engine.there) throw new Error(`PILOTFLAME_FARSIDE=require, but ${why}`)
    skip(why)
  }
  const broken = await cause(fault, site)
  const { diagnosis, log } = await ended(tryOut(broken, port, home))
  const [{ remedy }] = diagnosis.findings
  expect(diagnosis.verdict).not.toBe('healthy')
  expect({ code: diagnosis.code, log }).toMatchObject({ code: fault.code })
  const [order = ''] = remedy
  const mended = await carryOut(stepIn(remedy), broken, site)
  const after = await ended(tryOut(mended, port, home))
  rows.push(`| ${fault.name} | ${diagnosis.code} | ${order} | ${after.diagnosis.verdict} |`)
  expect(after.diagnosis, after.log).toMatchObject({ verdict: 'healthy' })
})

/* The loop could close by itself: by a fault that passes, or by a script that reads something into any words. */

const LASTING = FAULTS.filter(({ name }) =>
  ['static fraction too low', 'stale GPU user, on one of two GPUs'].includes(name),
)

test.for(LASTING)('$name: without the remedy it stays', async (fault, { site }) => {
  const broken = await cause(fault, site)
  for (const time of ['once', 'again']) {
    const { diagnosis } = await ended(tryOut(broken, site.port, site.home))
    expect({ time, code: diagnosis.code }).toEqual({ time, code: fault.code })
  }
})

test.for([
  'Retry: with sampling it happens to some of the answers only.',
  'Shorten the prompt, or start the server with a larger context (SGLang --context-length, vLLM --max-model-len).',
  'Start the server with --reasoning-parser and the name for this model (qwen3 for Qwen3).',
  'Give the server its template: --chat-template FILE.',
  'Upgrade the engine to the least version that the model card names.',
  'Lower --mem-fraction-static by 0.05: at this stage it wants to go down.',
  'End the one that is yours (kill PID), then start again.',
])('nobody could carry out as it is written: %s', (remedy) => {
  expect(readRemedy(remedy)).toMatchObject({ ok: false })
})

async function cause({ version, lacks, before, setup }: Fault, site: Site): Promise<Setup> {
  await makeHome(site.home, version ?? '0.5.18', lacks !== 'template')
  await before?.(site)
  return setup(site)
}

async function ended(trying: Promise<Trial>): Promise<Trial> {
  const trial = await trying
  await trial.stop()
  return trial
}

function stepIn(remedy: readonly string[]): Step {
  const reading = readRemedy(remedy[0] ?? '')
  if (!reading.ok) throw new Error([reading.why, ...remedy].join('\n'))
  return reading.step
}

/** npm's llama.cpp has a front of our own, with none of these flags. */
function isLlamaServer(engine: Program | null): boolean {
  return engine?.args.includes('llama-server') === true
}

afterAll(() => {
  process.stdout.write(`${['| fault | code | first remedy | after |', '|---|---|---|---|', ...rows].join('\n')}\n`)
})
