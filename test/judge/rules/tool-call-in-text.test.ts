import { expect } from 'vitest'
import { toolCallInText } from '../../../src/judge/rules/tool-call-in-text.ts'
import { asking, knowing } from '../asking.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, TOOL_CALL, tokens } from '../samples.ts'

const content = (text: string, prompt = 'Weather in Oslo?') => evidenceOf({ content: text }, { prompt })
const offered = (text: string) => asking(content(text), { tools: [{ type: 'function' }] })
const QWEN = '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>'

ruleTable(toolCallInText, {
  speaks: {
    Qwen: [content(QWEN), { code: 'parser.tool-missing', verdict: 'misconfigured', confidence: 'certain' }],
    DeepSeek: [content('<｜tool▁calls▁begin｜>x'), { code: 'parser.tool-missing' }],
    Kimi: [content('<|tool_calls_section_begin|><|tool_call_begin|>functions.x:0'), { code: 'parser.tool-missing' }],
    Mistral: [content('[TOOL_CALLS][{"name": "x"}]'), { code: 'parser.tool-missing' }],
    Llama: [content('<|python_tag|>get_weather.call(city="Oslo")'), { code: 'parser.tool-missing' }],
    MiniMax: [content('<minimax:tool_call>\n<invoke name="x">'), { code: 'parser.tool-missing' }],
    'behind some words, where tools were offered': [offered(`Let me look.\n${QWEN}`), { code: 'parser.tool-missing' }],
    'JSON, where tools were offered': [
      offered('{"name": "get_weather", "parameters": {"city": "Oslo"}}'),
      { code: 'parser.tool-missing', confidence: 'likely' },
    ],
    'a call in the words of Python': [offered('[get_weather(city="Oslo")]'), { confidence: 'likely' }],
    'inside the reasoning': [
      evidenceOf({ content: null, reasoning: `I look.\n${QWEN}` }),
      { because: expect.arrayContaining([expect.stringContaining('the reasoning holds')]) },
    ],
    'another parser': [
      knowing(content(QWEN), 'flags: --tool-call-parser kimi_k2'),
      { code: 'parser.tool-mismatch', remedy: expect.arrayContaining([expect.stringContaining('hermes')]) },
    ],
    'arguments that are no JSON': [
      evidenceOf({ content: null, toolCalls: [{ name: 'x', arguments: '{}{"city":' }], finish: 'tool_calls' }),
      { code: 'parser.tool-mismatch', confidence: 'likely' },
    ],
  },
  silent: {
    'an answer': evidenceOf({}),
    'a structured call': evidenceOf({ content: null, toolCalls: [TOOL_CALL] }),
    'a call without arguments': evidenceOf({ content: null, toolCalls: [{ name: 'x', arguments: '' }] }),
    'a call that the budget cut': evidenceOf({
      content: null,
      toolCalls: [{ name: 'x', arguments: '{"a' }],
      finish: 'length',
      tokens: tokens(200),
    }),
    'JSON that was asked for': content('{"name": "get_weather", "arguments": {}}', 'A call as JSON'),
    'other JSON, where tools were offered': offered('{"name": "Ada", "age": 36}'),
    'a mark in code': offered('Write `<tool_call>` first.'),
    'a mark that is talked of': content('Models write <tool_call> around it.'),
    'a prompt about marks': content(QWEN, 'How does a tool_call look?'),
    'the word tool': content('A tool call is a request.'),
    'a list of words': offered('[one, two, three]'),
    'no content': evidenceOf({ content: null }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
