import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { readLinks } from '../gpu/nvlink.ts'

/** Some links of a card run and others do not. Cards of which none runs have no bridge, as a rule. */
export const nvlink: Rule = {
  codes: ['gpu.nvlink-down'],
  check({ machine }) {
    const cards = readLinks(machine?.links?.text ?? '')
    const broken = cards.filter(({ active, down }) => active > 0 && down.length > 0)
    // a bridge or a switch of fewer links than the card has shows on all cards alike
    const isBuiltSo = broken.length === cards.length && new Set(broken.map(({ active }) => active)).size === 1
    const [first] = broken
    if (first === undefined || isBuiltSo) return []
    return [
      {
        code: 'gpu.nvlink-down',
        verdict: 'degraded',
        cause: `GPU ${first.index} has ${counted(first.down.length, 'NVLink')} that does not run beside ${first.active} that do: what cards exchange takes longer, or stops with tensor parallel.`,
        because: broken
          .slice(0, 4)
          .map(({ index, active, down }) => `GPU ${index}: ${active} links run, not ${down.join(', ')}`),
        remedy: [
          'With the host off, seat the bridge anew; on a board with NVSwitch see journalctl -u nvidia-fabricmanager.',
          'nvidia-smi nvlink -e counts the errors of each link; dmesg -T | grep -iE "xid.*(74|14[4-9])|sxid" names its fault.',
          'Until it is mended, NCCL_P2P_DISABLE=1 or a smaller --tp-size without that card shows whether the link is what hurts.',
        ],
        confidence: 'likely',
        unless: 'the bridge of that card is meant for fewer links.',
      },
    ]
  },
}
