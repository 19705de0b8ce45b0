import { expect } from 'vitest'
import { driverWsl } from '../../../src/judge/rules/driver-wsl.ts'
import { NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const WSL = { told: ['kernel: 6.6.87.2-microsoft-standard-WSL2'] }
const WINDOWS = { code: 'driver.wsl', verdict: 'misconfigured' } as const

ruleTable(driverWsl, {
  speaks: {
    blocked: [
      ran('nvidia-smi', 'Failed to initialize NVML: GPU access blocked by the operating system\n', { rc: 1 }),
      { ...WINDOWS, confidence: 'certain', remedy: expect.arrayContaining([expect.stringContaining('wsl --update')]) },
    ],
    'no answer': [
      ran('nvidia-smi', 'Failed to initialize NVML: N/A\n', { rc: 1, ...WSL }),
      { ...WINDOWS, confidence: 'likely' },
    ],
    'no driver': [ran('/usr/lib/wsl/lib/nvidia-smi', NO_DRIVER, { rc: 9, ...WSL }), WINDOWS],
  },
  silent: {
    'it works there': ran(QUERY, rows(WELL), WSL),
    'another Linux': ran('nvidia-smi', NO_DRIVER, { rc: 9, told: ['kernel: 6.8.0-51-generic'] }),
    'a cloud of the same maker': ran('nvidia-smi', NO_DRIVER, {
      rc: 9,
      told: ['host: azure-gpu-1, Microsoft Hyper-V'],
    }),
    'unknown error': ran('nvidia-smi', 'Failed to initialize NVML: Unknown Error\n', { rc: 255 }),
    'no processes': ran('nvidia-smi --query-compute-apps=pid --format=csv,noheader', '', WSL),
  },
})
