import type { Rule } from '../../domain/finding.ts'
import { heardFromTeller, quotes } from '../gpu/heard.ts'
import { isWsl, noAnswer } from '../gpu/no-answer.ts'

/** A Linux under Windows uses the driver of Windows, which does not let it. */
export const driverWsl: Rule = {
  codes: ['driver.wsl'],
  check(evidence) {
    const answer = noAnswer(evidence)
    if (answer === null || (answer.why !== 'blocked' && !isWsl(evidence))) return []
    return [
      {
        code: 'driver.wsl',
        verdict: 'misconfigured',
        cause:
          'This Linux runs under Windows (WSL) and does not reach the GPU driver of Windows, which is the only one it may use.',
        because: quotes(answer, heardFromTeller(evidence, /\bWSL|microsoft/i)),
        remedy: [
          'In Windows: wsl --update, then wsl --shutdown; upgrade the NVIDIA driver of Windows.',
          'The card must be in WDDM mode, not TCC (nvidia-smi -g 0 -dm 0 in Windows, as administrator, then reboot).',
          'Install no Linux driver in the guest, and bake no libcuda or libnvidia-ml into an image: those of /usr/lib/wsl/lib must come first.',
        ],
        confidence: answer.why === 'blocked' ? 'certain' : 'likely',
        explains: [
          'driver.not-loaded',
          'driver.init-failed',
          'driver.not-in-container',
          'container.cgroup-lost',
          'log.need-more',
        ],
      },
    ]
  },
}
