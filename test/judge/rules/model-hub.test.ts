import { expect } from 'vitest'
import { modelHub } from '../../../src/judge/rules/model-hub.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const hub = { code: 'hub.auth', verdict: 'misconfigured' } as const
const REFUSED =
  'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/org/m/resolve/main/config.json'

ruleTable(modelHub, {
  speaks: {
    'no name of the hub': [
      logged([
        'huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to locate the file on the Hub',
        'httpx.ConnectError: [Errno -3] Temporary failure in name resolution',
      ]),
      {
        ...hub,
        confidence: 'certain',
        cause: expect.stringContaining('is not resolved'),
        because: [expect.stringContaining('log line 1'), expect.stringContaining('log line 2')],
        remedy: [
          expect.stringContaining('getent hosts huggingface.co'),
          expect.stringContaining('HF_HUB_OFFLINE=1'),
          expect.stringContaining('HTTPS_PROXY'),
        ],
      },
    ],
    'no name of the hub, in one line': [
      logged(
        "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded (Caused by NameResolutionError(\"Failed to resolve 'huggingface.co'\"))",
      ),
      { ...hub, cause: expect.stringContaining('is not resolved'), because: [expect.stringContaining('log line 1')] },
    ],
    'a gated model': [
      logged(['OSError: You are trying to access a gated repo.', 'Access to model org/m is restricted.']),
      {
        ...hub,
        confidence: 'certain',
        remedy: [expect.stringContaining('HF_TOKEN'), expect.stringContaining('HF_HUB_OFFLINE=1')],
      },
    ],
    'no token': [logged(REFUSED), { ...hub, confidence: 'certain' }],
    'a token without that right': [
      logged(
        '403 Forbidden: Please enable access to public gated repositories in your fine-grained token settings to view this repository.',
      ),
      hub,
    ],
    'too many requests': [
      logged('HTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api/models/org/m'),
      { ...hub, cause: expect.stringContaining('too many requests') },
    ],
    'a name that the hub does not show': [
      logged(
        "OSError: org/m is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
      ),
      { ...hub, confidence: 'likely', unless: expect.stringContaining('local path') },
    ],
    'a path that does not exist': [
      logged("HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/srv/models/q'"),
      { ...hub, confidence: 'likely' },
    ],
    'no way to the hub': [
      logged(
        "OSError: We couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in the cached files.",
      ),
      { ...hub, confidence: 'likely', remedy: [expect.stringContaining('hf download'), expect.any(String)] },
    ],
  },
  silent: {
    'a name that is not of the hub': logged('httpx.ConnectError: [Errno -3] Temporary failure in name resolution'),
    ...ORDINARY,
    'another server that says no': logged('401 Client Error: Unauthorized for url: https://example.org/metrics'),
    'a key that clients do not have': logged(
      'INFO:     10.0.0.7:5511 - "POST /v1/chat/completions HTTP/1.1" 401 Unauthorized',
    ),
    'a start that got over it': logged([REFUSED, READY]),
    'a download that worked': logged('Fetching 15 files: 100%|##########| 15/15 from https://huggingface.co'),
    'a page that is not there': logged(
      '404 Client Error: Not Found for url: https://huggingface.co/org/m/resolve/main/x.json',
    ),
  },
})
