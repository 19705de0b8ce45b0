import { nanInLog } from '../../../src/judge/rules/nan-in-log.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const nan = { code: 'model.nan-logits', verdict: 'broken' } as const

ruleTable(nanInLog, {
  speaks: {
    SGLang: [logged('[t TP0] Detected errors during sampling! NaN in the logits.'), { ...nan, confidence: 'certain' }],
    torch: [
      logged('RuntimeError: probability tensor contains either `inf`, `nan` or element < 0'),
      { ...nan, confidence: 'likely' },
    ],
  },
  silent: { ...ORDINARY, 'a switch': logged('enable_nan_detection=True, NaN detection is on') },
})
