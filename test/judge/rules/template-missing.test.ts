import { expect } from 'vitest'
import { templateMissing } from '../../../src/judge/rules/template-missing.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

const status = (code: number, body: string) =>
  withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })

ruleTable(templateMissing, {
  speaks: {
    'vLLM and transformers': [
      status(
        400,
        'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template',
      ),
      { code: 'template.missing', verdict: 'misconfigured', confidence: 'certain' },
    ],
    transformers: [
      status(500, 'Cannot use chat template functions because tokenizer.chat_template is not set'),
      { code: 'template.missing' },
    ],
    'SGLang, whose flag is known': [
      { ...status(400, 'No chat template found'), engine: engineOf() },
      {
        remedy: expect.arrayContaining([
          expect.stringMatching(/^Start SGLang with --chat-template chat_template\.jinja, /),
        ]),
      },
    ],
    'in few words': [status(400, 'No chat template found'), { code: 'template.missing' }],
  },
  silent: {
    'another complaint about it': status(400, 'Conversation roles must alternate user/assistant'),
    'a field of the request': status(400, 'chat_template_kwargs is not a field'),
    'an answer about it': evidenceOf({ content: 'There is no chat template.' }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
