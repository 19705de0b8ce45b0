import type { Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { quotedSign, signsOf } from '../log/signs.ts'

const signatures: readonly [Signature, ...Signature[]] = [
  {
    name: 'unit-exit-status',
    anchors: ['code=exited, status=2'],
    pattern:
      /code=exited, status=(?<status>200\/CHDIR|202\/FDS|203\/EXEC|204\/MEMORY|205\/LIMITS|206\/OOM_ADJUST|207\/SIGNAL_MASK|208\/STDIN|209\/STDOUT|210\/CHROOT|21[4-8]\/(?:SETSCHEDULER|CPUAFFINITY|GROUP|USER|CAPABILITIES)|219\/CGROUP|222\/STDERR|22[4-8]\/(?:PAM|NETWORK|NAMESPACE|NO_NEW_PRIVILEGES|SECCOMP)|232\/ADDRESS_FAMILIES|235\/CHOWN|2(?:33|38|39|40|41)\/(?:RUNTIME|STATE|CACHE|LOGS|CONFIGURATION)_DIRECTORY|242\/NUMA_POLICY|243\/CREDENTIALS)\b/,
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

/**
 * systemd ends a start that takes longer than it allows; its result alone may also be of a stop. `systemctl status` tells
 * the result at the head, and the lines that led to it below.
 */
const slow: LineFault = {
  signatures: [
    {
      name: 'unit-start-timeout',
      anchors: ['operation timed out. '],
      pattern: /\b[Ss]tart(?:-pre|-post)? operation timed out\. (?:Terminating|Aborting|Killing)/,
      example: 'llm.service: start operation timed out. Terminating.',
      nearMiss: 'llm.service: Reload operation timed out. Killing reload process.',
    },
    {
      name: 'unit-result-timeout',
      anchors: ["Failed with result 'timeout'", '(Result: timeout)'],
      pattern: /Failed with result 'timeout'|Active: failed \(Result: timeout\)/,
      example: "llm.service: Failed with result 'timeout'.",
      nearMiss: "llm.service: Failed with result 'exit-code'.",
    },
  ],
  holds: 'start',
  codes: ['unit.start-timeout'],
  say({ name, line, at }, evidence) {
    const before = signsOf(evidence, 'unit-start-timeout', 'unit-stop-timeout', 'stage-ready', 'ordered-stop')
    const isSure = name === 'unit-start-timeout'
    const isHead = /^\s*Active: /.test(line)
    if (!isSure && before.some((sign) => (isHead || sign.at < at) && sign.name !== 'unit-start-timeout')) return null
    const ready = before.find((sign) => sign.at < at && sign.name === 'stage-ready')
    const unit = /([\w@.-]{1,100}\.service)\b/.exec(line)?.[1] ?? 'UNIT'
    const longer = `sudo systemctl edit ${unit}: in [Service] TimeoutStartSec=30min (systemd allows 90 s where nobody says otherwise; weights and CUDA graphs take longer). Then sudo systemctl restart ${unit}.`
    const type = `Type=exec in place of Type=notify or forking: SGLang, vLLM and llama.cpp never tell systemd that they are ready, so it waits in vain.`
    return {
      code: 'unit.start-timeout',
      verdict: 'misconfigured',
      cause:
        ready === undefined
          ? 'systemd ended the start because it took longer than the unit allows (TimeoutStartSec).'
          : 'systemd ended a server that was ready: the unit waits for a message that the server never sends, until TimeoutStartSec is over.',
      remedy: ready === undefined ? [longer, type] : [type, longer],
      confidence: isSure ? 'certain' : 'likely',
      ...(isSure ? {} : { unless: 'it was a stop that took too long: then the lines above say “Stopping”.' }),
      excludes: ['a crash: systemd itself sent the signal'],
      explains: ['log.need-more', 'host.oom', 'state.loading', 'state.up-unverified'],
      also: ready === undefined ? [] : [quotedSign(ready)],
    }
  },
}

const stopTimeout: Signature = {
  name: 'unit-stop-timeout',
  anchors: ["State 'stop", "State 'final", 'top-sigterm timed out', 'Stopping timed out', 'runtime time limit'],
  pattern:
    /State '(?:stop|final)\S{0,20}' timed out|[Ss]top-sigterm timed out|Stopping timed out|reached runtime time limit/,
  example: "llm.service: State 'stop-sigterm' timed out. Killing.",
  nearMiss: "llm.service: State 'stopped' is reached",
}

const lines = lineRule([start, slow])

/** systemd cannot start the program of the unit, or does not wait for it. */
export const unitStart: Rule = { ...lines, signatures: [...(lines.signatures ?? []), stopTimeout] }
