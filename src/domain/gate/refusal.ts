import { excerpt } from '../excerpt.ts'
import type { Failure, FailureKind } from '../failure.ts'
import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'

/** Why the gate did not do the verb, from its section `refusal` or its status; null where it did it. */
export function refusalOf(thing: string, reply: GateReply): Failure | null {
  if (reply.rc === 0) return null
  const text = sectionOf(reply, 'refusal')?.text.replace(/\s+/g, ' ').trim() ?? ''
  const { key, detail } = split(text)
  const read = REFUSALS.get(key) ?? REFUSALS.get(KEYS[reply.rc] ?? '')
  if (read === undefined) return { kind: 'exit', thing, ...unknown(reply.rc, text) }
  const [kind, observed, next] = read(excerpt(detail, 300))
  return { kind, thing, observed, next }
}

/** `fence-stale INVOCATION: the plan saw …` */
function split(text: string): { readonly key: string; readonly detail: string } {
  const [, key = '', detail = ''] = /^([a-z-]{1,40})(?: (.*))?$/.exec(text) ?? []
  return REFUSALS.has(key) ? { key, detail } : { key: '', detail: text }
}

/** The status alone, for a refusal whose words did not come. */
const KEYS: Readonly<Record<number, string>> = {
  64: 'usage',
  66: 'not-there',
  67: 'no-such-unit',
  69: 'tool-missing',
  73: 'no-state',
  75: 'fence-busy',
  76: 'fence-stale',
  77: 'permission',
  78: 'in-transition',
  124: 'timeout',
  126: 'refused',
  127: 'unknown-verb',
}

type Reading = readonly [kind: FailureKind, observed: string, next: string]

const SETUP = 'run deploy/host/setup there again'

/** What each key means and what to do, from the words after it. */
const REFUSALS: ReadonlyMap<string, (detail: string) => Reading> = new Map<string, (detail: string) => Reading>([
  ['usage', (said) => ['gate-refused', `the gate wants other words for this verb${after(said)}`, NEWER]],
  ['refused', (said) => ['gate-refused', `the gate refused the form of the line${after(said)}`, NEWER]],
  ['unknown-verb', (said) => ['gate-refused', `the gate does not know this verb${after(said)}`, NEWER]],
  ['not-there', notThere],
  [
    'no-such-unit',
    (said) => [
      'no-such-unit',
      `the host lists no unit of this name${after(said)}`,
      'add it to /etc/pilotflame/units there, or correct the name of the unit in the configuration',
    ],
  ],
  ['tool-missing', toolMissing],
  [
    'no-state',
    (said) => [
      'no-state',
      `the record of changes cannot be written${after(said)}, so nothing was changed by this call`,
      `see whether its disk is full; else ${SETUP}: it makes /var/lib/pilotflame for the account`,
    ],
  ],
  [
    'fence-busy',
    (said) => [
      'fence-busy',
      `another change of this unit is under way${after(said)}, so nothing was done`,
      'wait until it has ended, look at the new state, then decide again',
    ],
  ],
  [
    'fence-stale',
    (said) => [
      'fence-stale',
      `the unit is no longer as it was when this was planned${after(said)}, so nothing was done`,
      'ask again: the new plan shows the state as it is now',
    ],
  ],
  [
    'in-transition',
    (said) => [
      'in-transition',
      `the unit is between two states${after(said)}, so nothing was done`,
      'wait until it has started or stopped; `stop` is allowed even now',
    ],
  ],
  [
    'sudo',
    (said) => [
      'sudo',
      `sudo did not allow the account to do this${after(said)}`,
      `add exactly this command to the account's sudoers lines: ${SETUP}, it writes them for every unit listed`,
    ],
  ],
  ['permission', permission],
  [
    'timeout',
    (said) => [
      'deadline',
      `the host did not get it done in its own time${after(said)}`,
      'see whether the host hangs: its load, a stuck disk or network mount, a GPU that does not answer',
    ],
  ],
])

const NEWER = 'the gate there is of another version: install the one that came with this one (deploy/host/setup)'

/** What brings a missing tool. */
const TOOLS: Readonly<Record<string, string>> = {
  'nvidia-smi': "install the NVIDIA driver's tools there, or see whether only the container has them",
  'nvidia-smi/amd-smi/rocm-smi':
    "install the tools of the GPU's driver there (NVIDIA: nvidia-smi; AMD: amd-smi or rocm-smi), or see whether only the container has them",
  journalctl: 'the host has no systemd journal: name the log file of the unit in /etc/pilotflame/units (log=)',
  systemctl: 'the host does not run systemd, and nothing else can be managed yet',
  ss: 'install iproute2 there',
  dmesg: 'install util-linux there',
  flock: 'install util-linux there: changes and a look at the cards need it',
  sudo: 'install sudo there: changes need it for an account that is not root',
}

function notThere(detail: string): Reading {
  const next = detail.includes('/etc/pilotflame/units')
    ? `name it in /etc/pilotflame/units there, or ${SETUP}, which writes that list`
    : 'look again: it may have ended or moved'
  return ['not-there', `it is not there${after(detail)}`, next]
}

/** `NAME`, or `NAME: what it said instead of working` */
function toolMissing(detail: string): Reading {
  const [, name = '', said = ''] = /^([^ :]*)(?:: )?(.*)$/.exec(detail) ?? []
  const next = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  return [
    'tool-missing',
    name === ''
      ? 'a tool that this needs is not installed'
      : `${name} ${said === '' ? 'is not installed' : `does not work: ${said}`}`,
    next ?? 'install it there, in a directory of the usual PATH',
  ]
}

function permission(said: string): Reading {
  if (/^\/\S*\/pilotflame-gate must be root's/.test(said)) {
    return [
      'permission',
      `the gate does nothing while others than root may change it${after(said)}`,
      `${SETUP}: it restores owner and mode`,
    ]
  }
  if (/^\/\S*\/units, line \d+: /.test(said)) {
    return [
      'permission',
      `the gate believes no line of its list in part${after(said)}`,
      `correct that line, or ${SETUP}`,
    ]
  }
  return [
    'permission',
    `the account may not do this${after(said)}`,
    `see to whom it belongs and who may read or write it there; ${SETUP} to restore the rights that it gives`,
  ]
}

function after(said: string): string {
  return said === '' ? '' : ` (${said})`
}

function unknown(rc: number, text: string): { readonly observed: string; readonly next: string } {
  return {
    observed: `the gate ended with ${rc}${text === '' ? ' and gave no reason' : `: ${excerpt(text, 300)}`}`,
    next: 'ask again; if it stays, run the gate there by hand and see what it prints',
  }
}
