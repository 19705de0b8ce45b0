import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign, Signature } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { firstSign, lastSign, quotedSign } from '../log/signs.ts'
import { troubleIn } from '../log/trouble.ts'
import { giveTemplate } from '../orders.ts'

/** A template was wanted, and there was none: the words of the error with which a chat ended. */
const wanted: LineFault = {
  signatures: [
    {
      name: 'chat-template-wanted',
      anchors: [
        'default chat template is no longer allowed',
        'chat_template is not set',
        'Cannot use chat template functions',
        'must provide a chat template',
        'chat template is required',
      ],
      pattern:
        /default chat template is no longer allowed|chat_template is not set|Cannot use chat template functions|must provide a chat template|chat template is required/,
      example:
        'ValueError: As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template',
      nearMiss: 'Using default HuggingFace chat template with detected content format: string',
    },
  ],
  holds: 'always',
  codes: ['template.missing'],
  say: (_, evidence) => withoutTemplate(evidence),
}

/** SGLang and vLLM say so at the start of models that need none as well; only a chat that it refused tells. */
const ABSENT = 'harmless-no-template'

/** Any request for work that was answered: a plain completion, which a base model takes, an embedding, a score. */
const answered: Signature = {
  name: 'completion-answered',
  anchors: [
    ...(['/completions HTTP/1.', '/generate HTTP/1.', '/generate_stream HTTP/1.', '/responses HTTP/1.'] as const),
    ...([
      '/messages HTTP/1.',
      '/embeddings HTTP/1.',
      '/rerank HTTP/1.',
      '/score HTTP/1.',
      '/api/chat HTTP/1.',
    ] as const),
    ...(['/pooling HTTP/1.', '/classify HTTP/1.'] as const),
  ],
  pattern:
    /"POST \S{0,80}\/(?:completions|generate|generate_stream|responses|messages|embeddings|rerank|score|api\/chat|pooling|classify) HTTP\/1\.[01]" 200/,
  example: 'INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  nearMiss: 'INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request',
}

/** The line of a template that was not found, where every chat below it was refused and nothing says why; else null. */
export function blamedTemplate(evidence: Evidence): Sign | null {
  const [absent, chat] = [firstSign(evidence, ABSENT), lastSign(evidence, REFUSED)]
  if (absent === null || chat === null || absent.at > chat.at) return null
  const isExplained = firstSign(evidence, answered.name) !== null || troubleIn(evidence, new Set()).length > 0
  return isExplained ? null : absent
}

const REFUSED = 'chat-refused'

/** A chat that was refused, nobody says why, by a server which had found no template and has answered nothing. */
const refused: LineFault = {
  signatures: [
    {
      name: REFUSED,
      anchors: ['/chat/completions HTTP/1.1" 4', '/chat/completions HTTP/1.1" 5', '/chat/completions HTTP/1.0" 4'],
      // 401, 404, 429 and 503 have reasons of their own; 422 is a body of another shape
      pattern: /\/chat\/completions HTTP\/1\.[01]" (?:400|500)\b/,
      example: 'INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request',
      nearMiss: 'INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" 404 Not Found',
    },
  ],
  holds: 'always',
  codes: ['template.missing'],
  say({ at }, evidence) {
    const absent = blamedTemplate(evidence)
    if (absent === null || absent.at > at) return null
    return {
      ...withoutTemplate(evidence),
      cause: 'A chat was refused by a server that found no chat template for the model: that may be why.',
      confidence: 'possible',
      unless: 'the request itself was wrong (too long, a value that is not allowed): the body of the refusal says so.',
      missing: ['the body of the refused answer: send the chat again with curl -i'],
      also: [quotedSign(absent)],
    }
  },
}

function withoutTemplate(evidence: Evidence): Said {
  return {
    code: 'template.missing',
    verdict: 'misconfigured',
    cause: 'The model has no chat template, so chats are refused: it is a base model, or the file was not copied.',
    remedy: [
      giveTemplate(evidence),
      'Or take the instruct variant of the model; a base model is asked at /v1/completions.',
      'Look into the model directory: chat_template.jinja must be there, or chat_template in tokenizer_config.json.',
    ],
    confidence: 'likely',
    unless: 'it is a base model and nobody sends it chats.',
    explains: ['state.up-unverified'],
  }
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
export const missingTemplate: Rule = withSignature(lineRule([wanted, refused, generic]))

function withSignature(rule: Rule): Rule {
  return { ...rule, signatures: [...(rule.signatures ?? []), answered] }
}
