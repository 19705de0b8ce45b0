import { expect } from 'vitest'
import { unitStart } from '../../../src/judge/rules/unit-start.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const unit = { code: 'unit.exec', verdict: 'misconfigured', confidence: 'certain' } as const
const ended = (status: string) => `llm.service: Main process exited, code=exited, status=${status}`

const SLOW = 'systemd[1]: llm.service: start operation timed out. Terminating.'
/** As `systemctl status` prints it: the result first, the lines that led to it below. */
const HEAD = [
  '× llm.service - LLM server',
  '     Active: failed (Result: timeout) since Fri 2026-05-01 10:00:00 UTC; 3s ago',
]

ruleTable(unitStart, {
  speaks: {
    'a program that is not there, before the stop of its restarts': [
      logged([
        ended('203/EXEC'),
        'llm.service: Scheduled restart job, restart counter is at 5.',
        'llm.service: Start request repeated too quickly.',
      ]),
      {
        ...unit,
        cause: expect.stringContaining('cannot run the program of ExecStart'),
        because: [expect.stringContaining('log line 1')],
      },
    ],
    'with its path': [
      logged('llm.service: Failed at step EXEC spawning /opt/venv/bin/python: Permission denied'),
      { ...unit, cause: expect.stringContaining('/opt/venv/bin/python: Permission denied') },
    ],
    'in the words of newer systemd': [
      logged(
        'llm.service: Unable to locate executable\nllm.service: Failed to locate executable /opt/sglang: No such file or directory',
      ),
      unit,
    ],
    'a working directory': [
      logged(ended('200/CHDIR')),
      { ...unit, cause: expect.stringContaining('WorkingDirectory') },
    ],
    'a user': [
      logged(ended('217/USER')),
      { ...unit, remedy: [expect.stringContaining('User='), expect.stringContaining('reset-failed')] },
    ],
    'a group': [logged(ended('216/GROUP')), { ...unit, cause: expect.stringContaining('Group=') }],
    'a sandbox': [logged(ended('226/NAMESPACE')), { ...unit, cause: expect.stringContaining('file system') }],
    'a log file': [logged(ended('209/STDOUT')), { ...unit, cause: expect.stringContaining('StandardOutput') }],
    'another setting': [logged(ended('243/CREDENTIALS')), { ...unit }],
    'a unit file that is wrong': [
      logged('llm.service: Unit llm.service has a bad unit file setting.'),
      { ...unit, remedy: [expect.stringContaining('systemd-analyze verify'), expect.any(String)] },
    ],
    'a start that took too long': [
      logged([SLOW, "llm.service: Failed with result 'timeout'."]),
      {
        code: 'unit.start-timeout',
        verdict: 'misconfigured',
        confidence: 'certain',
        remedy: [
          expect.stringContaining('edit llm.service: in [Service] TimeoutStartSec=30min'),
          expect.stringContaining('Type=exec'),
        ],
      },
    ],
    'its result alone': [
      logged("llm.service: Failed with result 'timeout'."),
      { code: 'unit.start-timeout', confidence: 'likely', unless: expect.stringContaining('stop') },
    ],
    'its result at the head, and a start below': [
      logged([...HEAD, SLOW]),
      { code: 'unit.start-timeout', because: [expect.stringContaining('operation timed out')] },
    ],
    'its result at the head alone': [logged(HEAD), { code: 'unit.start-timeout', confidence: 'likely' }],
    'a server that was ready': [
      logged([READY, SLOW]),
      {
        cause: expect.stringContaining('a message that the server never sends'),
        because: [expect.stringContaining('timed out'), expect.stringContaining('ready to roll')],
        remedy: [expect.stringContaining('Type=exec'), expect.any(String)],
      },
    ],
  },
  silent: {
    'a proxy that tells of an answer': logged([
      'Jul 01 10:00:00 gpu-box nginx[12]: 10.0.0.1 upstream status=200/OK time=0.01',
      'Jul 01 10:00:01 gpu-box nginx[12]: 10.0.0.1 upstream status=206/PARTIAL time=0.01',
    ]),
    'a name of systemd that no systemd wrote': logged('job status=203/EXEC'),
    'a number of systemd with another name': logged('llm.service: Main process exited, code=exited, status=203/OTHER'),
    'a stop that took too long': logged([
      "llm.service: State 'stop-sigterm' timed out. Killing.",
      "llm.service: Failed with result 'timeout'.",
    ]),
    'a stop that took too long, below the head': logged([
      ...HEAD,
      "llm.service: State 'stop-sigterm' timed out. Killing.",
    ]),
    'an ExecStop that took too long': logged([
      'llm.service: Stopping timed out. Terminating.',
      "llm.service: Failed with result 'timeout'.",
    ]),
    'a stop that somebody ordered': logged([
      'systemd[1]: Stopping llm.service - LLM server...',
      "llm.service: Failed with result 'timeout'.",
    ]),
    'a server that ran before': logged([READY, "llm.service: Failed with result 'timeout'."]),
    'a later start that worked': logged([SLOW, READY]),
    'a reload that took too long': logged('llm.service: Reload operation timed out. Killing reload process.'),
    ...ORDINARY,
    'a program that ended itself': logged(ended('1/FAILURE')),
    'a program that was killed': logged('llm.service: Main process exited, code=killed, status=9/KILL'),
    'a wrong argument of the program': logged(ended('2/INVALIDARGUMENT')),
    'a stop in order': logged('llm.service: Main process exited, code=exited, status=143/n/a'),
    'a start that worked later': logged([ended('203/EXEC'), READY]),
  },
})
