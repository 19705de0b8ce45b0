import type { Finding, Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import type { Ended } from '../answer.ts'
import { endedAnswer, endOf, quoted } from '../answer.ts'
import { judgedPart } from '../ends.ts'
import { ABOUT_MARKS, outsideCode } from '../outside-code.ts'

/** The end of a turn stands in the text: the server does not end there, since it is no end token to it. */
export const endTokenInText: Rule = {
  codes: ['template.eos-missing'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || ABOUT_MARKS.test(answer.request.prompt)) return []
    const text = outsideCode(judgedPart(answer.completion.content ?? ''))
    return HARMONY.test(text) ? [] : (marked(answer, text) ?? unmarked(answer, text) ?? [])
  },
}

/** The marks themselves; in an answer that ended by itself only those that are glued to what they end. */
function marked(answer: Ended, text: string): readonly [Finding] | null {
  const isEndless = answer.completion.finish === 'length'
  const marks = [...text.matchAll(MARK)].filter(({ 0: mark, index }) => {
    const [before, after] = [text.slice(0, index), text.slice(index + mark.length)]
    return isEndless ? !(TOLD_BEFORE.test(before) && TOLD_AFTER.test(after)) : GLUED.test(before)
  })
  const [first] = marks.filter(([mark]) => mark !== '</s>' || !/<s>/i.test(text))
  if (first === undefined) return null
  const behind = text.slice(first.index + first[0].length).trim()
  const because = [
    `${counted(marks.length, 'end mark')} in the content, the first is ${quoted(first[0])}`,
    ...(behind === '' ? [] : [`behind it: ${quoted(behind)}`]),
    endOf(answer),
  ]
  return [{ ...(behind === '' ? SHOWN : GOES_ON), because }]
}

/** Who talks of a mark leaves a blank before it, or quotes it. */
const GLUED = /[^\s(["'“‘«:=>*`]$/

/** In the middle of a sentence it is spoken of. */
const TOLD_BEFORE = /\p{L}[^\S\n]+$/u
const TOLD_AFTER = /^[^\S\n]+\p{Ll}/u

/** Servers that leave special tokens out leave the names of the roles, each on a line of its own or behind a sentence. */
function unmarked(answer: Ended, text: string): readonly [Finding] | null {
  const roles = answer.completion.finish === 'length' ? (text.match(ROLE) ?? []) : []
  const isTalk = new Set(roles.map((role) => role.trim())).size > 1 || roles.every((role) => !role.startsWith('\n'))
  if (roles.length < 2 || !isTalk) return null
  const because = [
    `${counted(roles.length, 'role name')} alone in the content, where a mark was left out`,
    endOf(answer),
  ]
  return [{ ...GOES_ON, because, confidence: 'likely' }]
}

const ROLE = /(?:^|\n)(?:user|assistant|model|system)\n|[.!?]\s?(?:assistant|user)\n\n/g

/** Of Qwen and ChatML, Llama 3, Gemma, Llama 2 and Mistral, Phi, GLM, DeepSeek, Command R, GPT. */
const MARK =
  /<\|im_end\|>|<\|im_start\|>|<\|eot_id\|>|<\|eom_id\|>|<\|start_header_id\|>|<(?:end|start)_of_turn>|<\/s>|<\|endoftext\|>|<\|end_of_text\|>|<\|end\|>|<\|user\|>|<\|assistant\|>|<｜end▁of▁sentence｜>|<｜User｜>|<\|END_OF_TURN_TOKEN\|>|\[\/?INST\]|<\|eot\|>|\[EOS\]/g
/** Its channels have an end mark each, and a parser of their own. */
const HARMONY = /<\|(?:channel|message)\|>/

const REMEDY = [
  'Put the end token of a turn into generation_config.json (eos_token_id may be a list: both the end of a turn and the end of a text), as the model card has it; then restart the server.',
  'Until then name it in the request: "stop": ["<|im_end|>"], with the mark that stands in the text.',
  'Check that the chat template is the one of this checkpoint, and that a GGUF was made with the right eos token.',
]

const GOES_ON: Omit<Finding, 'because'> = {
  code: 'template.eos-missing',
  verdict: 'misconfigured',
  cause:
    'The model ends its turn, and the server does not stop there: the end token of a turn is not among its end tokens.',
  remedy: REMEDY,
  confidence: 'certain',
  explains: ['template.wrong', 'budget.too-small', 'model.degenerate-loop', 'sampling.greedy-loop'],
}

const SHOWN: Omit<Finding, 'because'> = {
  ...GOES_ON,
  cause:
    'The end mark of a turn stands in the content: the server does not know it as an end token, or it shows special tokens.',
  remedy: [...REMEDY, 'Send no skip_special_tokens=false.'],
  confidence: 'likely',
  unless: 'the request asked for special tokens (skip_special_tokens=false): then nothing is wrong with the server.',
}
