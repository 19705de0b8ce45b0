import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { endedAnswer, endOf } from '../answer.ts'
import { outsideCode } from '../outside-code.ts'
import { roles, turns } from '../turns.ts'

/** The model goes on with the conversation by itself: the chat template is not the one it was trained on. */
export const wrongTemplate: Rule = {
  codes: ['template.wrong'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || answer.completion.finish !== 'length' || ASKED.test(answer.request.prompt)) return []
    const text = outsideCode(answer.completion.content ?? '')
    const taken = turns(text)
    if (taken < 2 || roles(text).size < 2) return []
    return [
      {
        code: 'template.wrong',
        verdict: 'misconfigured',
        cause:
          'The model writes both sides of a conversation and does not end: its chat template is not the one it was trained on, or it is a base model.',
        because: [`${counted(taken, 'role name')} at line beginnings in the content`, endOf(answer)],
        remedy: [
          'Serve the instruct checkpoint, or give the server the template of this model (--chat-template).',
          "Check that the template's end-of-turn token is in generation_config.json.",
        ],
        confidence: 'likely',
      },
    ]
  },
}

const ASKED = /dialog|conversation|interview|transcript|role|script|user:|assistant:|human:/i
