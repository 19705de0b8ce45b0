import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { readJson } from '../../domain/json.ts'
import type { Ended } from '../answer.ts'
import { endedAnswer, isBlank, quoted } from '../answer.ts'
import { askedOf } from '../asked.ts'
import { flagsOf } from '../flags.ts'
import { ABOUT_MARKS, outsideCode } from '../outside-code.ts'

/** The model called a tool in its own notation, and the server handed the call on as text. */
export const toolCallInText: Rule = {
  codes: ['parser.tool-missing', 'parser.tool-mismatch'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    if (answer.completion.toolCalls.length > 0) return broken(evidence, answer)
    if (ABOUT_MARKS.test(answer.request.prompt)) return []
    const call = callIn(evidence, answer)
    return call === null ? [] : [findingOf(evidence, answer, call)]
  },
}

/** A structured call whose arguments are no JSON: the parser took it apart wrongly. What the budget cut is no such one. */
function broken(evidence: Evidence, { completion }: Ended): readonly Finding[] {
  const bad = completion.toolCalls.find(
    ({ name, arguments: json }) => name === '' || (json !== '' && !readJson(json).ok),
  )
  if (bad === undefined || completion.finish === 'length') return []
  const parser = flagsOf(evidence).get('tool-call-parser') ?? null
  return [
    {
      ...mismatch(parser ?? 'in use', bad.arguments),
      cause: 'The server took a tool call apart wrongly: its arguments are no JSON, or its name is missing.',
      because: [`the call ${quoted(bad.name)} has the arguments ${quoted(bad.arguments)}`],
      confidence: 'likely',
      unless: 'the model wrote them so: then another answer to the same prompt has sound ones.',
    },
  ]
}

interface Call {
  readonly text: string
  readonly channel: 'content' | 'reasoning'
  /** whether a mark shows it; else JSON or a function call in the words of the request's tools */
  readonly isMarked: boolean
}

/** The notations of the families: Qwen, Hermes, GLM · Kimi · DeepSeek · Mistral · Llama · MiniMax · Gemma · Phi · Granite · Claude-like */
const MARK =
  /<tool_calls?>|<\|?tool[_▁ ]?calls?[_▁\w]*\|?>|<｜(?:tool▁|DSML)|<\|tool_calls_section_begin\|>|\[TOOL_CALLS?\]|<function(?:=|_call|_calls>)|<\|python_tag\|>|<minimax:tool_call>|<tool_code>|```tool_code|\bfunctools\[|<\|?tool_use\|?>|<(?:\w+:)?invoke name=|<\|action_start\|>/i

function callIn({ smoke }: Evidence, { completion }: Ended): Call | null {
  const content = completion.content ?? ''
  const reasoning = isBlank(content) ? (completion.reasoning ?? '') : ''
  const tools = smoke !== undefined && askedOf(smoke).tools
  const marked = markedIn(content, tools)
  if (marked !== null) return { text: marked, channel: 'content', isMarked: true }
  const thought = markedIn(reasoning, true)
  if (thought !== null) return { text: thought, channel: 'reasoning', isMarked: true }
  return tools && isCall(content) ? { text: content, channel: 'content', isMarked: false } : null
}

/** Where no tools were offered, a mark in mid text may be talked of. */
function markedIn(text: string, anywhere: boolean): string | null {
  const prose = /```tool_code/.test(text) ? text : outsideCode(text)
  const at = prose.search(MARK)
  if (at < 0 || (!anywhere && prose.slice(0, at).trim() !== '')) return null
  return prose.slice(at)
}

const PYTHONIC = /^\s*\[\s*\w+\([^()]{0,2000}\)(?:\s*,\s*\w+\([^()]{0,2000}\)){0,20}\s*\]\s*$/

/** `{"name": "get_weather", "arguments": {…}}`, or `[get_weather(city="Oslo")]` as Llama 4 writes. */
function isCall(content: string): boolean {
  const body = content.trim().replace(/^```(?:json)?\s*|\s*```$/g, '')
  if (PYTHONIC.test(body)) return true
  if (!/^[[{]/.test(body) || !/"(?:name|function)"/.test(body) || !/"(?:arguments|parameters|args)"/.test(body))
    return false
  return readJson(body).ok
}

function findingOf(evidence: Evidence, { completion }: Ended, { text, channel, isMarked }: Call): Finding {
  const parser = flagsOf(evidence).get('tool-call-parser') ?? null
  const kind = parser === null ? MISSING : mismatch(parser, text)
  return {
    ...kind,
    because: [
      `the ${channel} holds the call ${quoted(text)}`,
      `no structured call came, finish "${completion.finish ?? 'none'}"`,
      ...(parser === null ? [] : [`started with --tool-call-parser ${parser}`]),
    ],
    confidence: isMarked ? 'certain' : 'likely',
    ...(isMarked ? {} : { unless: 'the prompt asks for JSON of this shape.' }),
  }
}

type Kind = Omit<Finding, 'because' | 'confidence'>

const NOTATION =
  'Ask once for something that needs the tool again; "tool_calls" must hold the call, and the content none.'
const EXPLAINS = ['engine.finish-reason-wrong', 'model.eos-in-reasoning', 'parser.reasoning-wrong'] as const

const MISSING: Kind = {
  code: 'parser.tool-missing',
  verdict: 'misconfigured',
  cause:
    'The model called a tool properly, and the server delivered the call as text: it runs without the tool parser of this model.',
  remedy: [
    'Start the server with the --tool-call-parser of this model (vLLM: with --enable-auto-tool-choice as well; llama.cpp: --jinja), and with the chat template of the same model version.',
    NOTATION,
  ],
  explains: EXPLAINS,
}

function mismatch(parser: string, text: string): Kind {
  return {
    code: 'parser.tool-mismatch',
    verdict: 'misconfigured',
    cause: `The model writes its tool calls in a notation that the parser ${quoted(parser)} does not read: the chat template teaches another one.`,
    remedy: [
      `Use the chat template and the --tool-call-parser of the same model version${parserFor(text)}; take --chat-template out where the model brings its own.`,
      NOTATION,
    ],
    explains: EXPLAINS,
  }
}

/** The parsers of SGLang and vLLM by the notation that they read. */
const PARSERS: readonly (readonly [RegExp, string])[] = [
  [/^<｜DSML/, 'deepseekv32 (vLLM deepseek_v32)'],
  [/^<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function/, 'deepseekv3 (vLLM deepseek_v3)'],
  [/^<｜tool/, 'deepseekv31 (vLLM deepseek_v31)'],
  [/^<tool_call>\s*<function=|^<function=/, 'qwen3_coder'],
  [/^<tool_call>\s*\{/, 'qwen25 (vLLM hermes)'],
  [/^<tool_call>\s*\w/, 'glm45'],
  [/^<\|tool_call/, 'kimi_k2'],
  [/^\[TOOL_CALL/, 'mistral'],
  [/^<\|python_tag/, 'llama3 (vLLM llama3_json)'],
  [/^<minimax/, 'minimax-m2 (vLLM minimax_m2)'],
]

function parserFor(text: string): string {
  const name = PARSERS.find(([notation]) => notation.test(text))?.[1]
  return name === undefined ? '' : `; this notation is read by ${name}`
}
