import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends a run with why each skipped test was skipped, and then `N passed, N failed, N skipped` on its last line. */
export const closingLine: Reporter = {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      tests.filter((test) => test.result().state === state).length
    const broken = modules.filter(isBroken).length + errors.length
    const lines = skipReasons(tests.map((test) => test.result()))
    lines.push(`${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`)
    process.once('exit', () => process.stdout.write(`\n${lines.join('\n')}\n`))
  },
}

/** A file that failed although none of its tests did: it could not be loaded, or a hook broke. */
function isBroken(module: TestModule): boolean {
  return module.state() === 'failed' && [...module.children.allTests('failed')].length === 0
}

function skipReasons(results: readonly ReturnType<TestCase['result']>[]): string[] {
  const reasons = new Map<string, number>()
  for (const result of results) {
    if (result.state !== 'skipped') continue
    const why = result.note ?? 'no reason given'
    reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  return [...reasons].map(([why, times]) => `SKIPPED ${times}: ${why}`)
}
