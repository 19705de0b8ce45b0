import type { Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'

const signatures: readonly [Signature, ...Signature[]] = [
  {
    name: 'unit-exit-status',
    anchors: ['status=2'],
    pattern:
      /status=(?<status>(?:200|203|205|206|207|208|209|210|216|217|218|219|222|224|226|227|228|232|233|238|239|240|241|243)\/[A-Z_]{2,30})/,
    example: 'llm.service: Main process exited, code=exited, status=200/CHDIR',
    nearMiss: 'llm.service: Main process exited, code=exited, status=2/INVALIDARGUMENT',
  },
  {
    name: 'unit-step',
    anchors: [
      'Failed at step ',
      'Failed to locate executable ',
      'Changing to the requested working directory failed',
      'Failed to determine user credentials',
    ],
    pattern:
      /Failed at step (?<step>[A-Z_]{2,30}) spawning (?<file>\S{1,200}): (?<why>.{1,120})|Failed to locate executable (?<file>\S{1,200}): (?<why>.{1,120})|(?<step>Changing to the requested working directory failed|Failed to determine user credentials)/,
    example: 'llm.service: Failed at step EXEC spawning /opt/venv/bin/python: No such file or directory',
    nearMiss: 'Failed at the third step',
  },
  {
    name: 'unit-setting',
    anchors: ['has a bad unit file setting', 'Executable path is not absolute'],
    pattern: /has a bad unit file setting|Executable path is not absolute/,
    example: 'llm.service: Unit llm.service has a bad unit file setting.',
    nearMiss: 'llm.service has no setting of that name',
  },
]

interface Meaning {
  readonly what: string
  readonly remedy: string
}

const EXEC: Meaning = {
  what: 'it cannot run the program of ExecStart: the path is wrong, the file is not executable, its interpreter (the #! line of a venv that was moved) is not there, or the mount is noexec',
  remedy:
    'Run ls -l and file on the path of ExecStart as the user of the unit, and head -1 of a script: correct the path, chmod +x, or make the venv anew.',
}

const CHDIR: Meaning = {
  what: 'the WorkingDirectory does not exist or the user of the unit may not enter it',
  remedy: 'Create the directory of WorkingDirectory=, or correct it; the user of User= must be able to enter it.',
}

const USER: Meaning = {
  what: 'the user of User= does not exist on this machine',
  remedy: 'Create the user (useradd --system NAME), or correct User= of the unit.',
}

const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/203|EXEC|locate executable/, EXEC],
  [/200|CHDIR|working directory/, CHDIR],
  [/217|USER|credentials/, USER],
  [
    /216|\/GROUP/,
    {
      what: 'the group of Group= or SupplementaryGroups= does not exist',
      remedy: 'Create the group, or correct Group= of the unit.',
    },
  ],
  [
    /226|NAMESPACE/,
    {
      what: 'it cannot make the file system that the unit asks for (ReadWritePaths=, ProtectSystem=, a path that does not exist)',
      remedy:
        'Create the paths that the unit names, or put - before them; in an unprivileged container leave PrivateTmp= and Protect…= out.',
    },
  ],
  [
    /209|208|STDOUT|STDIN/,
    {
      what: 'it cannot open the file of StandardOutput= or StandardInput=',
      remedy: 'Create the folder of the log file and give it to the user of the unit.',
    },
  ],
]

const OTHER: Meaning = {
  what: 'a setting of the unit cannot be carried out',
  remedy: 'systemd-analyze verify UNIT names the line of the unit file.',
}

const start: LineFault = {
  signatures,
  holds: 'start',
  codes: ['unit.exec'],
  say: ({ fields, line }) => {
    const sign = fields['status'] ?? fields['step'] ?? line
    const { what, remedy } = MEANINGS.find(([pattern]) => pattern.test(sign))?.[1] ?? OTHER
    const about = fields['file'] === undefined ? '' : ` (${fields['file']}: ${fields['why'] ?? ''})`
    return {
      code: 'unit.exec',
      verdict: 'misconfigured',
      cause: `systemd cannot start the program: ${what}${about}.`,
      remedy: [
        remedy,
        'Then systemctl daemon-reload, systemctl reset-failed UNIT and systemctl start UNIT; the stop of its restarts was only what followed.',
      ],
      confidence: 'certain',
      excludes: ['a fault of the engine: it never ran'],
      explains: ['log.need-more', 'host.oom', 'state.loading'],
    }
  },
}

/** systemd cannot start the program of the unit. */
export const unitStart: Rule = lineRule([start])
