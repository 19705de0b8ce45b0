import { wrongTemplate } from '../../../src/judge/rules/wrong-template.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf } from '../samples.ts'

const transcript = ' I am here.\n### Human: What can you do?\n### Assistant: Many things.\n### Human: Like'
const spent = { finish: 'length', stop: null } as const

ruleTable(wrongTemplate, {
  speaks: {
    'a transcript that goes on': [
      evidenceOf({ ...spent, content: transcript }),
      { code: 'template.wrong', verdict: 'misconfigured' },
    ],
    'ChatML as text': [
      evidenceOf({ ...spent, content: 'Hi\n<|im_start|>user\nHi: <|im_end|>\nUser: x\nAssistant: y' }),
      { confidence: 'likely' },
    ],
  },
  silent: {
    'an answer': evidenceOf({}),
    'a transcript that ends': evidenceOf({ content: transcript }),
    'a dialogue that was asked for': evidenceOf({ ...spent, content: transcript }, { prompt: 'Write a dialogue' }),
    'fields of settings': evidenceOf({ ...spent, content: 'host:\n  user: me\nother:\n  user: you\n' }),
    'a talk in a fence': evidenceOf({ ...spent, content: `As text:\n\`\`\`\n${transcript}\n\`\`\`\n` }),
    'one role name': evidenceOf({ ...spent, content: 'User: an account of a person.' }),
    'role names in mid line': evidenceOf({ ...spent, content: 'Ask the user: yes. Tell the system: no.' }),
    'no content': evidenceOf({ ...spent, content: null }),
  },
})
