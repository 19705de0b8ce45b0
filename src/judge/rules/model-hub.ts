import type { Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { firstSign, quotedSign } from '../log/signs.ts'

const signatures: readonly [Signature, ...Signature[]] = [
  {
    name: 'hub-gated',
    anchors: [
      'GatedRepoError',
      'gated repo',
      'is restricted. You must',
      'fine-grained token settings',
      'Invalid user token',
      'Invalid username or password',
    ],
    pattern:
      /GatedRepoError|access (?:a|to (?:a|public)|public)? ?gated repo|Cannot access gated repo|Access to model \S{1,200} is restricted|fine-grained token settings|Invalid user token|Invalid username or password/,
    example: 'OSError: You are trying to access a gated repo.',
    nearMiss: 'the gate of the repository is open',
  },
  {
    name: 'hub-refused',
    anchors: ['Client Error'],
    pattern:
      /(?<status>401|403|429) Client Error(?:: [\w ]{0,40})?(?:\. \(|\.| for url: https?:\/\/[\w.-]{0,60}(?:huggingface|hf-mirror|modelscope))/,
    example:
      'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/org/model/resolve/main/config.json',
    nearMiss: '404 Client Error: Not Found for url: https://example.org/',
  },
  {
    name: 'hub-unknown-name',
    anchors: [
      'is not a local folder and is not a valid model identifier',
      'RepositoryNotFoundError',
      'Repository Not Found for url',
      'Repo id must be in the form',
      'Invalid repository ID or local directory',
      "Can't load the configuration of",
      "Can't load tokenizer for",
    ],
    pattern:
      /is not a local folder and is not a valid model identifier|RepositoryNotFoundError|Repository Not Found for url|Repo id must be in the form|Invalid repository ID or local directory|Can't load (?:the configuration of|tokenizer for) '/,
    example:
      "OSError: org/model is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
    nearMiss: 'the model is read from a local folder',
  },
  {
    name: 'hub-unreachable',
    anchors: [
      "couldn't connect to 'https://huggingface.co'",
      'LocalEntryNotFoundError',
      'OfflineModeIsEnabled',
      "(host='huggingface.co'",
      "Failed to resolve 'huggingface.co'",
    ],
    pattern:
      /couldn't connect to 'https:\/\/huggingface\.co'|LocalEntryNotFoundError|OfflineModeIsEnabled|host='huggingface\.co', port=443\): Max retries exceeded|Failed to resolve 'huggingface\.co'/,
    example:
      "OSError: We couldn't connect to 'https://huggingface.co' to load the files, and couldn't find them in the cached files.",
    nearMiss: 'downloaded from https://huggingface.co in 12 s',
  },
]

const TOKEN =
  'Set HF_TOKEN to a read token of an account that was granted access (the page of the model has the button), in the environment of the engine: Environment= or EnvironmentFile= of the unit, -e HF_TOKEN of the container.'
const LOCAL = 'Or give a local directory as the model and set HF_HUB_OFFLINE=1.'

const REFUSED: Said = {
  code: 'hub.auth',
  verdict: 'misconfigured',
  cause: 'The model hub does not let the server in: there is no token, or its account was not granted this model.',
  remedy: [TOKEN, LOCAL],
  confidence: 'certain',
  explains: ['log.need-more', 'weights.truncated'],
}

const SAID: Readonly<Record<string, Partial<Said>>> = {
  'hub-unknown-name': {
    cause:
      'The model hub shows no such model to this server: the name is wrong, or it is private and no token was given.',
    remedy: [
      'Check the name or the path letter by letter; a path must exist on this very machine, or in this very container.',
      TOKEN,
    ],
    confidence: 'likely',
    unless: 'a local path was meant that does not exist here: ls -d PATH.',
  },
  'hub-unreachable': {
    cause: 'The server does not get through to the model hub, and the files are not in its cache.',
    remedy: [
      'Fetch the model beforehand (hf download ORG/NAME) where there is a network, and give its directory as the model with HF_HUB_OFFLINE=1.',
      'Or open the way: HTTPS_PROXY, or HF_ENDPOINT of a mirror; curl -sI https://huggingface.co shows whether it is open. Unset HF_HUB_OFFLINE where downloads are wanted.',
    ],
    confidence: 'likely',
    unless: 'the hub is down for the moment: then a start some minutes later gets through.',
  },
}

/** The words of the name service; without a name no token is asked for. */
const UNRESOLVED: Partial<Said> = {
  cause:
    'The name of the model hub is not resolved: this machine or container has no network, or no name service. No token is asked for by then.',
  remedy: [
    'See whether the name is known: getent hosts huggingface.co, in a container docker exec NAME getent hosts huggingface.co. Then correct /etc/resolv.conf, dns: of the container, or its network (a compose network with internal: true leads nowhere).',
    'Without a network: fetch the model where there is one (hf download ORG/NAME), give its directory as the model, and set HF_HUB_OFFLINE=1, which also ends the waiting for the hub.',
    'Behind a proxy: HTTPS_PROXY in the environment of the engine; then the proxy resolves the name.',
  ],
  confidence: 'certain',
}

/** It stands beside the line about the hub, and need not name it. */
const unresolved: Signature = {
  name: 'hub-unresolved',
  anchors: [
    'name resolution',
    'NameResolutionError',
    'Name or service not known',
    'Failed to resolve',
    'getaddrinfo failed',
  ],
  pattern:
    /(?:Error|Exception)\b.{0,400}(?:name resolution|Name or service not known|Failed to resolve|getaddrinfo failed)/,
  example: 'httpx.ConnectError: [Errno -3] Temporary failure in name resolution',
  nearMiss: 'the name resolution took 3 ms',
}

const TOO_MANY: Partial<Said> = {
  cause: 'The model hub slows the server down: too many requests came from its address or account.',
  remedy: [TOKEN, 'Wait some minutes, then start again.', LOCAL],
}

const refused: LineFault = {
  signatures,
  holds: 'start',
  codes: ['hub.auth'],
  say: ({ name, fields, at }, evidence) => {
    const why = name === 'hub-unreachable' ? firstSign(evidence, unresolved.name) : null
    if (why !== null) return { ...REFUSED, ...UNRESOLVED, also: why.at === at ? [] : [quotedSign(why)] }
    return { ...REFUSED, ...(fields['status'] === '429' ? TOO_MANY : SAID[name]) }
  },
}

/** The model hub refuses the download, or cannot be reached. */
export const modelHub: Rule = { ...lineRule([refused]), signatures: [...signatures, unresolved] }
