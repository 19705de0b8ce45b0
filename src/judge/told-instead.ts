import type { Finding } from '../domain/finding.ts'
import { counted } from '../domain/report.ts'
import { quoted } from './answer.ts'

/** What a model server tells of itself where an answer of its model is to be judged. */
export type ToldInstead =
  | { readonly what: 'models'; readonly names: readonly string[] }
  | { readonly what: 'health'; readonly said: string }
  /** names of some of them */
  | { readonly what: 'facts'; readonly names: readonly string[] }
  /** a request that asked nothing: the model was read into memory, or put out of it */
  | { readonly what: 'load' | 'unload'; readonly model: string | null }
  /** a chat answer in which the list of choices is empty */
  | { readonly what: 'no-choice' }

/** The server is up by it; of the answers of its model it shows nothing. */
export function findingOfTold(told: ToldInstead): Finding {
  return {
    code: 'state.up-unverified',
    verdict: 'inconclusive',
    ...wordsFor(told),
    confidence: 'certain',
    missing: ['an answer of the model'],
  }
}

type Words = Pick<Finding, 'cause' | 'because' | 'remedy'>

function wordsFor(told: ToldInstead): Words {
  switch (told.what) {
    case 'models':
      return ofModels(told.names)
    case 'health':
      return {
        cause:
          'The server says that it is up. That tells nothing of its answers: beside a model that writes nonsense it says the same.',
        because: [`it says ${quoted(told.said)}`],
        remedy: SMOKE,
      }
    case 'facts':
      return {
        cause: 'The server is up and tells facts of itself; they are no answer of its model.',
        because: [`it tells ${told.names.join(', ')}`],
        remedy: SMOKE,
      }
    case 'load':
    case 'unload':
      return ofMemory(told)
    case 'no-choice':
      return {
        cause:
          'The server answered in the chat dialect, with an empty list of choices: there is no answer in it to judge.',
        because: ['"choices" is []'],
        remedy: [
          'Repeat the request once, directly against the engine: a gateway may have taken the choice out.',
          'If it stays empty, read the engine log of this minute.',
        ],
      }
  }
}

function ofModels(names: readonly string[]): Words {
  if (names.length === 0)
    return {
      cause: 'The server is up and lists no model: there is none that could answer.',
      because: ['the list is empty'],
      remedy: ['Get or load a model first (Ollama: ollama pull NAME); then run a smoke.'],
    }
  return {
    cause: `The server is up and lists ${counted(names.length, 'model')}. A list tells nothing of their answers.`,
    because: [
      `it lists ${names
        .slice(0, MOST)
        .map((name) => quoted(name))
        .join(', ')}`,
    ],
    remedy: SMOKE,
  }
}

const MOST = 5

function ofMemory({ what, model }: Extract<ToldInstead, { readonly what: 'load' | 'unload' }>): Words {
  const which = model === null ? 'its model' : `the model ${quoted(model)}`
  const did = what === 'load' ? `loaded ${which}` : `took ${which} out of memory`
  return {
    cause: `This is no answer yet: the server ${did} and was asked nothing.`,
    because: [`done_reason is "${what}"`],
    remedy: ['Ask again with a prompt: "messages" (or "prompt") of this request was empty.', ...SMOKE],
  }
}

const SMOKE = ['Run a smoke: pilotflame smoke "Say hello" --target NAME, or /smoke "Say hello" --target NAME in Slack.']
