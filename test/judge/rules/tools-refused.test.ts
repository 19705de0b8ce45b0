import { expect } from 'vitest'
import { toolsRefused } from '../../../src/judge/rules/tools-refused.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, failureOf, withSmoke } from '../samples.ts'

const status = (code: number, message: string) =>
  withSmoke({
    completion: null,
    failure: failureOf('http-status', {
      status: code,
      body: JSON.stringify({ error: { message } }),
      complaint: { kind: code < 500 ? 'schema' : 'server', message },
    }),
  })
const says = (words: string) => expect.stringContaining(words)
const MISSING = { code: 'parser.tool-missing', verdict: 'misconfigured', confidence: 'certain' } as const

ruleTable(toolsRefused, {
  speaks: {
    vLLM: [
      status(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      {
        ...MISSING,
        because: [says('to be set')],
        remedy: [says('with --enable-auto-tool-choice --tool-call-parser NAME, NAME being'), says('without "tools"')],
        explains: expect.arrayContaining(['request.schema']),
      },
    ],
    'llama.cpp': [
      status(500, 'tools param requires --jinja flag'),
      { ...MISSING, remedy: [says('with --jinja.'), says('')] },
    ],
  },
  silent: {
    'a tool that is not there': status(400, "Tool 'foo' not found in the tools list"),
    'a flag of something else': status(400, 'embeddings need --embeddings'),
    'an answer': evidenceOf({ content: 'tools need --jinja' }),
    'no server': withSmoke({ completion: null, failure: failureOf('refused') }),
  },
})
