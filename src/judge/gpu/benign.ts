import { isHeader } from './rows.ts'

/** Whether a line of a GPU tool or of the kernel says nothing bad: what complains and is not known to be harmless does. */
export function isBenign(line: string): boolean {
  return HARMLESS.test(line) || isHeader(line) || !COMPLAINS.test(line)
}

const COMPLAINS =
  /\berr(?:or)?s?\b|ERR!|fail|cannot|can.t\b|could not|couldn.t|unable|denied|not found|\blost\b|invalid|mismatch|time(?:d )?-?out|fatal|fault|panic|BUG:|blocked for|corrupt|reset|fallen|refused|unknown error|segfault|overheat|unsupported|no devices/i

const HARMLESS =
  /tainting kernel|taints kernel|module verification failed|_DSM|Persistence mode is deprecated|low-power state|deprecated|Not supported on the given system|Expected integer value from monitor|\b0 errors?\b|errors?\W{0,3}(?:count)?\W{0,3}0\b|ECC (?:is )?(?:enabled|disabled|on|off)\b|AER: Corrected|severity=Corrected|successfully reset|GPU reset(?:\(\d+\))? succeeded|(?:loading|Loaded) (?:NVIDIA|the UVM)|(?:reset|fault) (?:method|handling)|Attached GPUs|No errors? found/i
