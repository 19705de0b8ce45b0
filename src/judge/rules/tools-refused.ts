import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { parserOf } from '../../knowledge/index.ts'
import { bodyOf, complaintOf, hasFailed, saidNo } from '../refusal.ts'
import { servedOf } from '../served.ts'

/** The server refuses tools since it was started without the flags for them, and names these. */
export const toolsRefused: Rule = {
  codes: ['parser.tool-missing'],
  check(evidence) {
    const { smoke } = evidence
    const complaint = complaintOf(smoke)
    if (!hasFailed(smoke) || complaint === null) return []
    const words = complaint.message === '' ? bodyOf(smoke).slice(0, LOOKED_AT) : complaint.message
    if (!ABOUT_TOOLS.test(words)) return []
    const flags = flagsIn(words)
    return flags.length === 0 ? [] : [findingOf(evidence, flags, saidNo(smoke, complaint.message))]
  },
}

const LOOKED_AT = 4000
const ABOUT_TOOLS = /\btools?\b|tool_choice|function call/i

/** The flags that a message names, each once, as it writes them. */
function flagsIn(words: string): readonly string[] {
  const named = words.matchAll(
    /(?<![\w-])--(?:enable-auto-tool-choice|tool-call-parser|tool-parser-plugin|jinja|chat-template)\b/g,
  )
  return [...new Set(Array.from(named, ([flag]) => flag))]
}

function findingOf(evidence: Evidence, flags: readonly string[], said: string): Finding {
  const parser = parserFor(evidence)
  const set = flags.map((flag) => (flag === '--tool-call-parser' ? `${flag} ${parser ?? 'NAME'}` : flag)).join(' ')
  const unnamed = parser === null && flags.includes('--tool-call-parser')
  return {
    code: 'parser.tool-missing',
    verdict: 'misconfigured',
    cause:
      'The server takes no tools: it was started without the flags that turn them on, and names them itself. The model is not to blame.',
    because: [said],
    remedy: [
      `Start the server with ${set}${unnamed ? ', NAME being the parser of this model: its model card, or the list in --help, tells it' : ''}.`,
      'Until then send the request without "tools" and "tool_choice".',
    ],
    confidence: 'certain',
    explains: ['request.schema', 'engine.invariant', 'template.missing'],
  }
}

/** The parser of the model that is served; null where nobody knows it. */
function parserFor(evidence: Evidence): string | null {
  const served = servedOf(evidence)
  return served === null ? null : (parserOf(served.engine, served.family, 'tool')?.names[0] ?? null)
}
