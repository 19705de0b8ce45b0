import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Runs the benchmarks named on the command line, or all, one after the other: `npm run bench -- tunnel ack`. With
 * `--write` those that have a table in the README write it anew.
 * Fails where one fails, where a figure misses its target beyond the margin, and, with PILOTFLAME_BENCH=require,
 * where a peer is missing.
 */
const words = process.argv.slice(2).filter((word) => word !== '--only')
const flags = words.filter((word) => word === '--write')
const wanted = words.filter((word) => word !== '--write')
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'measure.ts')
  .map((file) => file.replace(/\.ts$/, ''))
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}. There are: ${all.join(', ')}`)
  process.exit(2)
}

const trouble: string[] = []
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n# ${name}`)
  trouble.push(...(await run(name)))
}
if (trouble.length > 0) console.error(`\nnot as it should be:\n${trouble.join('\n')}`)
process.exit(trouble.length > 0 ? 1 : 0)

/** What was wrong with one benchmark. Its output is shown as it comes. */
async function run(name: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const wrong: string[] = []
  for await (const line of createInterface(child.stdout)) {
    console.log(line)
    if (isMissed(line) || (line.includes('SKIPPED') && process.env['PILOTFLAME_BENCH'] === 'require')) wrong.push(line)
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))
  return code === 0 ? wrong : [...wrong, `${name} ended with ${code}`]
}

/** Reads the verdict at the end of `name  median 0.98 … target <= 1.3  MISSED`. */
function isMissed(line: string): boolean {
  return / target .* MISSED$/.test(line)
}
