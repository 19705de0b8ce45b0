import { expect } from 'vitest'
import { missingTemplate } from '../../../src/judge/rules/missing-template.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const none = { code: 'template.missing', verdict: 'misconfigured' } as const

ruleTable(missingTemplate, {
  speaks: {
    transformers: [
      logged(
        'ValueError: As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
      ),
      { ...none, remedy: expect.arrayContaining([expect.stringContaining('--chat-template FILE')]) },
    ],
    'the tokenizer': [
      logged(
        'ValueError: Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed!',
      ),
      none,
    ],
    'SGLang, which starts': [
      logged(["[t] No chat template found, defaulting to 'string' content format", READY]),
      none,
    ],
    'llama.cpp that takes another': [
      logged('main: The chat template that comes with this model is not yet supported, falling back to chatml.'),
      { code: 'template.wrong', verdict: 'degraded', remedy: [expect.stringContaining('--jinja'), expect.any(String)] },
    ],
  },
  silent: {
    ...ORDINARY,
    'the template of the model': logged(
      "[t] Using default HuggingFace chat template with detected content format: 'string'",
    ),
    'a template that was given': logged('[t] Loading chat template from /srv/qwen.jinja'),
    'a template that llama.cpp prints': logged(
      "main: chat template, chat_template: {%- if tools %}, example_format: '<|im_start|>system'",
    ),
    'none is needed': logged('[t] No chat requests yet'),
  },
})
