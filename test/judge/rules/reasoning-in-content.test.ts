import { reasoningInContent } from '../../../src/judge/rules/reasoning-in-content.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

const content = (text: string, prompt?: string) => evidenceOf({ content: text }, prompt === undefined ? {} : { prompt })

ruleTable(reasoningInContent, {
  speaks: {
    'a think block': [
      content('<think>\nI greet.\n</think>\n\nHello!'),
      { code: 'parser.reasoning-missing', verdict: 'misconfigured' },
    ],
    'a block whose opening the template wrote': [
      content('I greet.\n</think>\n\nHello!'),
      { code: 'parser.reasoning-missing' },
    ],
    'a rest of the tag': [
      content('/think>\n\n9.8 is greater.'),
      { code: 'parser.reasoning-split', verdict: 'degraded' },
    ],
    'channels of gpt-oss': [content('<|channel|>analysis<|message|>Hi'), { code: 'parser.harmony-missing' }],
    'channels without their marks': [
      content('analysisWe need to greet.assistantfinalHello!'),
      { code: 'parser.harmony-missing' },
    ],
  },
  silent: {
    'an answer': content('Hello!'),
    'no content': evidenceOf({ content: null }),
    'the tag in code': content('Close it with `</think>`, as in\n```\n<think>x</think>\n```'),
    'a prompt about the tag': content('The </think> tag closes it.', 'What does </think> do?'),
    'a prompt about ChatML': content('<|start|> opens a turn', 'Explain ChatML'),
    HTML: content('<b>think</b>'),
    'a comparison': content('3 > 2'),
    'a quotation': content('> think twice'),
    'tags in the reasoning': evidenceOf({ reasoning: 'the <think> tag' }),
    'tags in mid sentence': content('In Qwen, <think> opens it and </think> closes it.'),
    'a tool call': content('<tool_call>\n{"name": "x"}\n</tool_call>'),
  },
})
