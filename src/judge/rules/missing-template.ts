import type { Rule } from '../../domain/finding.ts'
import type { LineFault } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { giveTemplate } from '../orders.ts'

const none: LineFault = {
  signatures: [
    {
      name: 'chat-template-none',
      anchors: [
        'default chat template is no longer allowed',
        'chat_template is not set',
        'o chat template found',
        'o HuggingFace chat template found',
        'must provide a chat template',
        'does not have a chat template',
      ],
      pattern:
        /default chat template is no longer allowed|chat_template is not set|[Nn]o (?:HuggingFace )?chat template found|must provide a chat template|does not have a chat template/,
      example:
        'ValueError: As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template',
      nearMiss: 'Using default HuggingFace chat template with detected content format: string',
    },
  ],
  holds: 'always',
  codes: ['template.missing'],
  say: (_, evidence) => ({
    code: 'template.missing',
    verdict: 'misconfigured',
    cause:
      'The model has no chat template, so chats are refused or cut into no turns: it is a base model, or the file was not copied.',
    remedy: [
      giveTemplate(evidence),
      'Or take the instruct variant of the model; a base model is asked at /v1/completions.',
      'ls of the model directory: chat_template.jinja must be there, or chat_template in tokenizer_config.json.',
    ],
    confidence: 'likely',
    unless: 'it is a base model and nobody sends it chats.',
    explains: ['state.up-unverified'],
  }),
}

const generic: LineFault = {
  signatures: [
    {
      name: 'chat-template-generic',
      anchors: ['falling back to chatml', 'chat template that comes with this model is not yet supported'],
      pattern: /falling back to chatml|chat template that comes with this model is not yet supported/,
      example: 'main: The chat template that comes with this model is not yet supported, falling back to chatml.',
      nearMiss: 'main: chat template, chat_template: chatml',
    },
  ],
  holds: 'always',
  codes: ['template.wrong'],
  say: () => ({
    code: 'template.wrong',
    verdict: 'degraded',
    cause:
      'The server does not read the chat template of the model and took a generic one (ChatML) instead: turns and ends may not be those that the model learned.',
    remedy: [
      'Start llama.cpp with --jinja, which reads the template as it is, or give one by --chat-template-file.',
      'Upgrade llama.cpp; then run a smoke.',
    ],
    confidence: 'likely',
    unless: 'the model was trained with ChatML: then nothing is lost.',
    explains: ['state.up-unverified'],
  }),
}

/** A model without its chat template. */
export const missingTemplate: Rule = lineRule([none, generic])
