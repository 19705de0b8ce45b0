import type { InstalledPackage } from '../../../src/domain/verbs/versions.ts'
import { driverVersion } from '../../../src/judge/rules/driver-version.ts'
import { onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

const one = (name: string, version: string): InstalledPackage => ({ name, version })
const with_ = (driver: string | null, ...packages: readonly InstalledPackage[]) => ({
  ...onMachine({ driver }),
  installed: { packages, driver, os: null, kernel: null },
})

ruleTable(driverVersion, {
  speaks: {
    'torch for CUDA 13 on an older driver': [
      with_('570.124.06', one('torch', '2.11.0+cu130')),
      { code: 'driver.too-old', verdict: 'misconfigured', confidence: 'likely' },
    ],
    'its runtime': [with_('575.57.08', one('nvidia_cuda_runtime', '13.0.96')), { code: 'driver.too-old' }],
    'CUDA 12 on a driver of CUDA 11': [
      with_('470.256.02', one('nvidia_cuda_runtime_cu12', '12.8.90')),
      { code: 'driver.too-old' },
    ],
    'the newest of two counts': [
      with_('570.124.06', one('torch', '2.9.1+cu129'), one('torch', '2.11.0+cu130')),
      { code: 'driver.too-old' },
    ],
  },
  silent: {
    'CUDA 13 on 580': with_('580.95.05', one('torch', '2.11.0+cu130')),
    'the very first one': with_('580.65.06', one('torch', '2.11.0+cu130')),
    'CUDA 12.9 on 570, which serves all of 12': with_('570.124.06', one('torch', '2.9.1+cu129')),
    'no driver': with_(null, one('torch', '2.11.0+cu130')),
    'torch that does not say': with_('470.256.02', one('torch', '2.11.0')),
    'another package': with_('470.256.02', one('nvidia_cublas', '13.1.0')),
    'nothing installed': with_('470.256.02'),
  },
})
