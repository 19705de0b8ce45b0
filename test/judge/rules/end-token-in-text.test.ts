import { expect } from 'vitest'
import { endTokenInText } from '../../../src/judge/rules/end-token-in-text.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

const spent = { finish: 'length', stop: null } as const
const content = (text: string) => evidenceOf({ ...spent, content: text })

ruleTable(endTokenInText, {
  speaks: {
    ChatML: [
      content('Hello!<|im_end|>\n<|im_start|>user\nThanks'),
      {
        code: 'template.eos-missing',
        verdict: 'misconfigured',
        confidence: 'certain',
        because: expect.arrayContaining(['2 end marks in the content, the first is “<|im_end|>”']),
      },
    ],
    'Llama 3': [content('Hi.<|eot_id|><|start_header_id|>user'), { code: 'template.eos-missing' }],
    Gemma: [content('Hi.<end_of_turn>\n<start_of_turn>user'), { code: 'template.eos-missing' }],
    Mistral: [content('Hi. [INST] And you? [/INST] Fine'), { code: 'template.eos-missing' }],
    DeepSeek: [content('Hi.<｜end▁of▁sentence｜><｜User｜>More'), { code: 'template.eos-missing' }],
    'Llama 3 without its marks': [
      content('Hello!assistant\n\nHow can I help?assistant\n\nI am here.'),
      { code: 'template.eos-missing', confidence: 'likely' },
    ],
    'ChatML without its marks': [content('Hello!\nuser\nThanks\nassistant\nWelcome'), { confidence: 'likely' }],
    'a mark at the end': [
      evidenceOf({ content: 'Hello there.</s>' }),
      { confidence: 'likely', unless: expect.stringContaining('skip_special_tokens') },
    ],
  },
  silent: {
    'documentation that speaks of it, cut by its budget': evidenceOf({
      ...spent,
      content: 'Note that <|endoftext|> is the document separator, and prevent the <|endoftext|> token from being',
    }),
    'an answer': evidenceOf({}),
    'marks that are talked of': evidenceOf({
      content: 'Llama 3 ends a turn with <|eot_id|> and Gemma with <end_of_turn>.',
    }),
    'text that is struck out': evidenceOf({ content: 'It costs <s>10</s> 8.' }),
    'a list of groups': content('root\nuser\ndaemon\nuser\nadm\n'),
    'a role name in a sentence': content('She is a model\nuser of the tool.'),
    'a mark in code': content('It ends with `<|im_end|>` as in\n```\n<|eot_id|>\n```'),
    'a prompt about marks': evidenceOf({ content: 'It is <|im_end|>.' }, { prompt: 'How does ChatML end a turn?' }),
    'channels of gpt-oss': content('<|channel|>analysis<|message|>Hi<|end|>'),
    HTML: content('<p>Hello</p><s>gone'),
    'a mark in the reasoning': evidenceOf({ reasoning: 'the <|im_end|> mark' }),
    'no content': evidenceOf({ content: null }),
  },
})
