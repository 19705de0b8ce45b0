import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { WRAPPERS } from '../../../src/judge/log/wrapper-signs.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { wrappers } from '../../../src/judge/rules/wrappers.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, READY, shown } from '../shown-log.ts'

ruleTable(wrappers, {
  speaks: {
    'the end of vLLM’s start alone': [
      shown('RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}'),
      {
        code: 'log.need-more',
        verdict: 'inconclusive',
        at: 1,
        missing: [expect.stringContaining('EngineCore and Worker')],
        remedy: [expect.stringContaining('200 lines more'), expect.stringContaining('dmesg')],
      },
    ],
    'several wrappers: what each of them hides': [
      shown(['[t] Received sigquit from a child process.', "demo.service: Failed with result 'signal'."]),
      { missing: [expect.stringContaining('Scheduler hit'), expect.stringContaining('journalctl')], at: 1 },
    ],
    'an exception that nobody knows': [
      shown(['Traceback (most recent call last):', 'acme.PluginError: the licence of the plugin ended']),
      {
        cause: 'The log names an exception that no rule knows: acme.PluginError.',
        because: ['log line 2: “acme.PluginError: the licence of the plugin ended”'],
      },
    ],
    'a death after an ordered stop that was none of its noise': [
      shown(['[t] SIGTERM received. Draining requests', '[t] Received sigquit from a child process.']),
      { because: ['log line 2: “[t] Received sigquit from a child process.”'] },
    ],
  },
  silent: {
    ...PLAIN,
    'the end of an ordered stop': shown([
      '[t] SIGTERM received. 0 requests left. Draining requests and shutting down...',
      'demo.service: Main process exited, code=killed, status=9/KILL',
      "demo.service: Failed with result 'signal'.",
    ]),
    'a container that ended well': shown('sglang-1 exited with code 0'),
    'what a user wrote': shown("INFO [logger.py:42] Received request chatcmpl-1: prompt: 'ValueError: x', params: S()"),
  },
})

describe('never leads where a cause is named', () => {
  const OOM =
    '[t TP0] Capture cuda graph begin.\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.'

  test.each(WRAPPERS.map(({ name, example }) => [name, example]))('%s', (_name, example) => {
    const { code, findings } = diagnose(shown(`${OOM}\n${example}`), rules)
    expect(code).toMatch(/^mem\./)
    expect(findings.length).toBeGreaterThan(0)
  })

  test.each(WRAPPERS.map(({ name, example }) => [name, example]))('%s alone is inconclusive', (_name, example) => {
    expect(diagnose(shown(`${READY}\n${example}`), rules).verdict).toBe('inconclusive')
  })
})
