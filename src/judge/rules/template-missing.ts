import type { Rule } from '../../domain/finding.ts'
import { giveTemplate } from '../orders.ts'
import { bodyOf, complaintOf, hasFailed, saidNo } from '../refusal.ts'

/** The server cannot make a prompt of the messages, since the model brought no chat template. */
export const templateMissing: Rule = {
  codes: ['template.missing'],
  check(evidence) {
    const { smoke } = evidence
    const complaint = complaintOf(smoke)
    if (!hasFailed(smoke) || complaint === null) return []
    const said = `${complaint.message} ${bodyOf(smoke).slice(0, LOOKED_AT)}`
    if (!MISSING.test(said)) return []
    return [
      {
        code: 'template.missing',
        verdict: 'misconfigured',
        cause:
          'The server has no chat template for this model: a base model has none, or the file was left out of the download.',
        because: [saidNo(smoke, complaint.message)],
        remedy: [
          giveTemplate(evidence),
          'Or serve the instruct checkpoint of this model.',
          'Look whether chat_template.jinja, or chat_template in tokenizer_config.json, is missing beside the weights; download it again.',
          'A base model is asked through /v1/completions.',
        ],
        confidence: 'certain',
        explains: ['request.schema', 'engine.invariant', 'request.route', 'model.immediate-eos', 'engine.assert'],
      },
    ]
  },
}

const LOOKED_AT = 8000
const MISSING =
  /default chat template is no longer (?:allowed|supported)|(?:must|need to) provide a chat[ _]template|chat[ _]template(?: \w+){0,3} (?:is not|isn't|not|was not) (?:set|defined|found|specified|provided)|no (?:\w+ )?chat[ _]template|(?:missing|without a?) ?chat[ _]template|does not (?:define|have|provide) (?:one|a chat[ _]template)|Cannot use (?:apply_chat_template|chat template functions)/i
