import { expect, test } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { portTaken } from '../../../src/judge/rules/port-taken.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, tokens } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)

const ERRNO =
  "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use"

ruleTable(portTaken, {
  speaks: {
    'SGLang and vLLM': [
      logOf('sglang', [ERRNO]),
      { cause: says('port 30000'), remedy: [says('sport = :30000'), says('--port 30001'), says('compare')] },
    ],
    'the trap: a line of a ready server after it': [
      logOf('sglang', ['INFO:     Application startup complete.', ERRNO, READY], { told: ['health_30000: 200'] }),
      { because: [says('Errno 98'), 'told: health_30000 “200”'], against: [says('no proof')] },
    ],
    'Python 3.13': [
      logOf('vllm', [
        "ERROR:    [Errno 98] error while attempting to bind on address ('::', 8000, 0, 0): [errno 98] address already in use",
      ]),
      { code: 'proc.port-taken' },
    ],
    'llama.cpp': [
      logOf('llama-cpp', ["main: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080"]),
      { cause: says('port 8080') },
    ],
    Ollama: [
      logOf('ollama', ['Error: listen tcp 127.0.0.1:11434: bind: address already in use']),
      { cause: says('port 11434') },
    ],
    docker: [logOf(null, ['Bind for 0.0.0.0:8000 failed: port is already allocated']), { cause: says('port 8000') }],
    'among the ranks': [
      logOf('vllm', [
        'The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use',
      ]),
      { cause: says('ranks'), remedy: [says('29500'), says('MASTER_PORT')] },
    ],
    'a port by its flag': [
      logOf('vllm', ['OSError: [Errno 98] Address already in use'], { told: ['flags: --port 9001'] }),
      { cause: says('port 9001') },
    ],
  },
  silent: {
    'another port was taken': logOf('vllm', ['INFO Port 8000 is already in use, trying port 8001']),
    'a later start that bound it': logOf('vllm', [
      ERRNO,
      'INFO:     Uvicorn running on http://0.0.0.0:30000 (Press CTRL+C to quit)',
    ]),
    'a prompt about it': logOf('vllm', [`INFO Received request c: prompt: 'why ${ERRNO}'`]),
    'a good start': logOf('sglang', [...LOADED, READY]),
    'a port in use by us': logOf(null, ['port 8000 is in use by us']),
    ports: logOf(null, ['listening on port 8000']),
    'a socket': logOf(null, ['the address is in use again after the restart? no']),
    'a refusal': logOf(null, ['connection refused on port 8000']),
    'no log': logOf(null, []),
  },
})

test('an answer that comes all the same is that of the old server, whatever it shows', () => {
  const log = logOf('sglang', ['INFO:     Application startup complete.', ERRNO, READY])
  const answer = evidenceOf({ content: null, tokens: tokens(2) })
  expect(diagnose(answer, rules).code).toBe('model.immediate-eos')
  const { code, findings } = diagnose({ ...log, ...answer }, rules)
  expect([code, findings.length]).toEqual(['proc.port-taken', 1])
})
