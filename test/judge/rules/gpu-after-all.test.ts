import { gpuAfterAll } from '../../../src/judge/rules/gpu-after-all.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, shown } from '../shown-log.ts'

const WARNING = 'warning: no usable GPU found, --gpu-layers option will be ignored'

ruleTable(gpuAfterAll, {
  speaks: {
    'a warning that the layers disprove': [
      shown([WARNING, 'load_tensors: offloaded 33/33 layers to GPU']),
      {
        code: 'ok.false-warning',
        verdict: 'healthy',
        cause: 'The warning is not true: 33 of 33 layers are on the GPU.',
        because: [`log line 1: “${WARNING}”`, 'log line 2: “load_tensors: offloaded 33/33 layers to GPU”'],
      },
    ],
  },
  silent: {
    ...PLAIN,
    'a warning that nothing disproves': shown(WARNING),
    'a warning that is true': shown([WARNING, 'load_tensors: offloaded 0/33 layers to GPU']),
    'layers on the GPU of a server that broke': shown([
      WARNING,
      'load_tensors: offloaded 33/33 layers to GPU',
      'GGML_ASSERT(n > 0) failed',
    ]),
  },
})
