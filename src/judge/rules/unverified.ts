import type { Rule } from '../../domain/finding.ts'
import { isQuiet } from '../log/quiet.ts'
import { lastSign, quotedSign } from '../log/signs.ts'
import { lastStage } from '../log/stages.ts'

/** A server that is ready by its log. Whether its answers are any good no log says. */
export const unverified: Rule = {
  codes: ['state.up-unverified'],
  check(evidence) {
    const { log, smoke } = evidence
    if (log === undefined || smoke !== undefined) return []
    const stage = lastStage(log)
    const shown = lastSign(evidence, 'stage-ready') ?? lastSign(evidence, 'stage-serving')
    if ((stage !== 'ready' && stage !== 'serving') || !isQuiet(evidence, { after: shown?.at ?? 0 })) return []
    return [
      {
        code: 'state.up-unverified',
        verdict: 'inconclusive',
        cause:
          'The server is up by its log; nobody has looked at an answer of it, and a log does not tell whether the model works.',
        because: shown === null ? [] : [quotedSign(shown)],
        remedy: [
          'Run a smoke against it: pilotflame smoke "Say hello" --target NAME, or /smoke "Say hello" --target NAME in Slack.',
        ],
        // what the log holds besides comes first, also where it is fine
        confidence: 'possible',
        missing: ['an answer of the model'],
      },
    ]
  },
}
