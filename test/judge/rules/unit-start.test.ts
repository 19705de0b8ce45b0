import { expect } from 'vitest'
import { unitStart } from '../../../src/judge/rules/unit-start.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const unit = { code: 'unit.exec', verdict: 'misconfigured', confidence: 'certain' } as const
const ended = (status: string) => `llm.service: Main process exited, code=exited, status=${status}`

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
  },
  silent: {
    ...ORDINARY,
    'a program that ended itself': logged(ended('1/FAILURE')),
    'a program that was killed': logged('llm.service: Main process exited, code=killed, status=9/KILL'),
    'a wrong argument of the program': logged(ended('2/INVALIDARGUMENT')),
    'a stop in order': logged('llm.service: Main process exited, code=exited, status=143/n/a'),
    'a start that worked later': logged([ended('203/EXEC'), READY]),
  },
})
