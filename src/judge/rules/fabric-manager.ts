import type { Evidence, Rule } from '../../domain/finding.ts'
import { factsOf } from '../gpu/facts.ts'
import { heard, quotes } from '../gpu/heard.ts'

/** GPUs with NVSwitch wait for their fabric manager. By the tools of the host; the log of an engine has a rule of its own. */
export const fabricManager: Rule = {
  codes: ['driver.fabricmanager'],
  check(evidence) {
    const said = heard(evidence, OTHER) ?? heard(evidence, SAID)
    const state = stateOf(evidence)
    const unit =
      evidence.unit?.id.includes('fabricmanager') && evidence.unit.activeState !== 'active' ? evidence.unit : null
    const idle = idleOnSwitches(evidence)
    if (said === null && state === null && unit === null && idle === null) return []
    return [
      {
        code: 'driver.fabricmanager',
        verdict: 'misconfigured',
        cause:
          said !== null && OTHER.test(said.line)
            ? 'The fabric manager is of another version than the driver, so it does not start: CUDA waits for it on machines with NVSwitch.'
            : 'The GPUs wait for the fabric manager, which does not run or is not done: on machines with NVSwitch CUDA starts only after it.',
        because: [
          ...quotes(said),
          ...(state === null ? [] : [state.quote]),
          ...(unit === null ? [] : [`${unit.id}: ${unit.activeState}`]),
          ...(idle === null ? [] : [idle]),
        ],
        remedy: [
          'Install the fabric manager in exactly the version of the driver (sudo apt-get install nvidia-fabricmanager-MAJOR, then apt-mark hold both) and sudo systemctl enable --now nvidia-fabricmanager.',
          'journalctl -u nvidia-fabricmanager says why it does not start; then nvidia-smi -q | grep -A2 Fabric must say State: Completed, Status: Success.',
        ],
        confidence: said === null && unit === null && idle === null ? 'likely' : 'certain',
        missing: ['systemctl status nvidia-fabricmanager'],
        explains: ['log.need-more', 'engine.kernel-crash'],
      },
    ]
  },
}

const SAID =
  /system not yet initialized|\bError 802\b|fabric ?manager.*(?:fail|inactive|dead|not running|not found|could not be found|don.t match|do(?:es)? not match|mismatch)|(?:Failed|Job for).*fabric ?manager|nv-fabricmanager.*(?:error|fail)/i

/** `fabric manager NVIDIA GPU driver interface version 570.124.06 don't match with driver version 570.133.20` */
const OTHER = /fabric ?manager.*(?:don.t match|do(?:es)? not match|mismatch)/i

/** A machine has switches between its GPUs, and nobody runs them. In a container the host does. */
function idleOnSwitches({ machine }: Evidence): string | null {
  const hasSwitches = machine?.devices.some(({ name }) => /^nvidia-nvswitch\d/.test(name)) === true
  const service = machine?.services?.find(({ name }) => name.startsWith('nvidia-fabricmanager'))
  if (!hasSwitches || machine?.container !== null || service === undefined || service.activeState === 'active')
    return null
  return `${service.name}: ${service.loadState}, ${service.activeState}; the machine has NVSwitch`
}

function stateOf(evidence: Evidence) {
  const facts = factsOf(evidence, /fabric[ ._]?(?:state|status)$/i)
  return facts.find(({ name, value }) => (/state$/i.test(name) ? UNDONE : FAILED).test(value)) ?? null
}

const UNDONE = /^(?:Not Started|In Progress)$/i
const FAILED = /fail|error|timeout|unable/i
