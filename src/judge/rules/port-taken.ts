import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf, numberFlag } from '../flags.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { lookAt } from '../remedies.ts'
import { quotedTold } from '../told.ts'

/**
 * Another process owns the port. SGLang notices it only after "Application startup complete.", and its warm-up is answered
 * by the old server, which prints the line of a ready server into the new log: any health check talks to the old one.
 */
export const portTaken: Rule = {
  codes: ['proc.port-taken'],
  signatures: [
    {
      name: 'address-in-use',
      anchors: [
        'ddress already in use',
        'EADDRINUSE',
        "couldn't bind",
        'port is already allocated',
        'Only one usage of each socket address',
        'is already in use',
        ' is in use',
        'ailed to bind ',
      ],
      pattern:
        /^(?!.*(?:trying port|trying another|using port|Received request|prompt: )).*(?:[Aa]ddress already in use|(?:listen|bind\S{0,20}|code:?|errno:?|failed:?|[Ee]rror:?|name:) ?['"(]{0,2}EADDRINUSE|couldn't bind |port is already allocated|Only one usage of each socket address|[Pp]ort \d{1,5} is (?:already )?in use(?! by (?:us|this))|[Ff]ailed to bind (?:to |host port |port )\S{1,60})/,
      example:
        "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
      nearMiss: 'WARNING Port 8000 is already in use, trying port 8001',
    },
    {
      name: 'port-bound',
      anchors: ['Uvicorn running on', 'server is listening on', 'Listening on ['],
      pattern: /Uvicorn running on https?:|server is listening on|Listening on \[/,
      example: 'INFO:     Uvicorn running on http://0.0.0.0:30000 (Press CTRL+C to quit)',
      nearMiss: 'Uvicorn is not running',
    },
  ],
  check(evidence) {
    const bound = signsOf(evidence, 'port-bound').at(-1)?.at ?? 0
    const sign = signsOf(evidence, 'address-in-use').findLast(({ at }) => at > bound)
    return sign === undefined ? [] : [taken(evidence, sign)]
  },
}

/** Between the ranks of one server; not the port that clients use. */
const INTERNAL =
  /TCPStore|server socket has failed to listen|nccl|dist[_-]init|zmq|tcp:\/\/|rendezvous|MASTER_PORT|bootstrap/i

function taken(evidence: Evidence, sign: Sign): Finding {
  const isInternal = INTERNAL.test(sign.line)
  const port = portIn(sign.line) ?? (isInternal ? null : numberFlag(flagsOf(evidence), 'port'))
  const ready = signsOf(evidence, 'stage-ready').some(({ line }) => /ready to roll|startup complete/.test(line))
  const health = (evidence.told ?? []).find(
    (line) => /^[\w.]{0,60}(?:health|v1_models|smoke|curl)[\w.]{0,60}: /i.test(line) && /200|ok/i.test(line),
  )
  const which = port === null ? 'the port' : `port ${port}`
  return {
    code: 'proc.port-taken',
    verdict: 'misconfigured',
    cause: isInternal
      ? `Another process owns ${which}, which the ranks of this server want among themselves: the start failed.`
      : `Another process owns ${which}, most often the server from before: this start failed, and whatever asks the port now talks to the old one.`,
    because: [quotedSign(sign), ...(health === undefined ? [] : [quotedTold(health)])],
    remedy: [
      `See who owns it: ${port === null ? 'ss -ltnp' : `ss -ltnp 'sport = :${port}'`}, and since when and for whom: ${lookAt('PID')}. If that is the old server, stop its unit (systemctl stop UNIT); without a unit, end it: kill PID. Wait until nvidia-smi shows its memory free, then start again.`,
      isInternal
        ? 'Or take another one: SGLang --nccl-port 29600 or --dist-init-addr 127.0.0.1:29600, vLLM VLLM_PORT=29600, torch MASTER_PORT=29600.'
        : `Or serve on another port: --port ${port === null ? 30_001 : port + 1} (Ollama: OLLAMA_HOST=127.0.0.1:11435).`,
      ...(isInternal
        ? []
        : [
            'Then compare the process behind the port (ss -ltnp) with the one that you started, before you trust a check.',
          ]),
    ],
    confidence: 'certain',
    ...(isInternal || (!ready && health === undefined) ? {} : { against: [TRAP] }),
    explains: OF_ANOTHER,
    at: sign.at,
  }
}

/** What a smoke shows of the port is the old server's doing, and so is what its log lacks. */
const OF_ANOTHER = [
  ...(['state.up-unverified', 'state.loading', 'server.unreachable', 'engine.invariant'] as const),
  ...(['request.model-name', 'context.exceeded', 'template.missing', 'template.wrong'] as const),
  ...(['model.immediate-eos', 'model.degenerate-loop', 'model.gibberish', 'model.nan-logits'] as const),
  ...(['model.eos-in-reasoning', 'model.tp-comm-suspect', 'model.kernel-bug', 'model.weights-misloaded'] as const),
  ...(['parser.reasoning-wrong', 'parser.reasoning-missing', 'parser.reasoning-unclosed'] as const),
  ...(['budget.reasoning-exhausted', 'budget.too-small'] as const),
] as const

const TRAP = 'A green health check or a line of a ready server is no proof: the old server gave that answer.'

function portIn(line: string): number | null {
  const [, port] =
    /\('[^']{0,60}', (\d{2,5})\)/.exec(line) ??
    /\bport:? ?(\d{2,5})\b/i.exec(line) ??
    /(?:\d|\]|\*|localhost|0\.0\.0\.0):(\d{2,5})\b(?!:\d)/.exec(line) ??
    []
  return port === undefined ? null : Number(port)
}
