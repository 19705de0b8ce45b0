import type { Finding, Rule } from '../../domain/finding.ts'
import { readJson } from '../../domain/json.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { quoted } from '../answer.ts'
import { bodyOf, complaintOf, hasFailed, isCutJson, isMangled, isPage, saidNo, statusOf, textOf } from '../refusal.ts'
import { isLate } from './gateway-timeout.ts'

/** No model server answers there: a gateway that does not reach it, a web server, another program. */
export const stranger: Rule = {
  codes: ['proxy.backend-down'],
  check({ smoke }) {
    if (!hasFailed(smoke) || !isStranger(smoke) || isLate(smoke)) return []
    const { kind, thing, observed } = smoke.failure
    const because = [kind === 'shape' ? `${thing} ${observed}` : saidNo(smoke, textOf(bodyOf(smoke)))]
    return [{ code: 'proxy.backend-down', verdict: 'unreachable', confidence: 'certain', ...meaningOf(smoke), because }]
  },
}

const FOREIGN: readonly (string | undefined)[] = ['not-json', 'not-stream', 'shape']

function isStranger(smoke: Smoke): boolean {
  const complaint = complaintOf(smoke)
  if (complaint !== null) return complaint.kind === 'proxy'
  return FOREIGN.includes(smoke.failure?.kind) && !isMangled(smoke) && !isCutJson(smoke)
}

type Meaning = Pick<Finding, 'cause' | 'remedy'> & Partial<Pick<Finding, 'confidence' | 'unless'>>

function meaningOf(smoke: Smoke): Meaning {
  const [status, body] = [statusOf(smoke) ?? 200, bodyOf(smoke)]
  if (complaintOf(smoke)?.kind === 'proxy' && (status >= 500 || !isPage(body))) return gateway(nameOf(smoke))
  if (isPage(body)) return page(body, nameOf(smoke))
  // the engine read it as JSON and says what is odd in it
  return smoke.failure?.kind === 'shape' || readJson(body).ok ? OTHER_JSON : OTHER
}

/** It says itself that it does not get through, to what is behind it. */
function gateway(name: string): Meaning {
  return {
    cause: `A gateway${name} answered in place of the model server: it does not get through to it.`,
    remedy: DOWN,
  }
}

const DOWN = [
  'See on the host whether the engine runs and listens on the port to which the gateway forwards (ss -ltnp); start it, or correct the gateway.',
]

const OTHER_PROGRAM = [
  'See on the host what listens on that port (ss -ltnp); then correct the url of the target in pilotflame.yml, or --url.',
]

function page(body: string, name: string): Meaning {
  const title = /<title[^>]{0,100}>([^<]{1,500})/i.exec(body)?.[1] ?? ''
  const titled = title.trim() === '' ? '' : ` ${quoted(title)}`
  return {
    cause: `A web server${name} answered with its page${titled}: the URL does not lead to a model server.`,
    remedy: OTHER_PROGRAM,
  }
}

const OTHER: Meaning = {
  cause: 'What answers there is not a model server: it sent neither JSON nor the stream of a chat.',
  remedy: OTHER_PROGRAM,
}

const OTHER_JSON: Meaning = {
  cause: 'What answers there sent JSON that is no chat answer: it is not a model server, or one of another API.',
  remedy: OTHER_PROGRAM,
  confidence: 'likely',
  unless: 'it is a model server of another API: its documentation names the URL at which it speaks that of OpenAI.',
}

/** Gateways and web servers by their Server header or the words of their pages. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/cloudflare/i, 'Cloudflare'],
  [/openresty/i, 'OpenResty'],
  [/nginx/i, 'nginx'],
  [/traefik/i, 'Traefik'],
  [/caddy/i, 'Caddy'],
  [/envoy|upstream connect error/i, 'Envoy'],
  [/haproxy/i, 'HAProxy'],
  [/awselb/i, 'AWS load balancer'],
  [/apache/i, 'Apache'],
]

/** ` (nginx)`, empty where it is not known. */
function nameOf(smoke: Smoke): string {
  const said = `${smoke.exchange?.headers['server'] ?? ''} ${bodyOf(smoke).slice(0, LOOKED_AT)}`
  const name = NAMES.find(([sign]) => sign.test(said))?.[1]
  return name === undefined ? '' : ` (${name})`
}

const LOOKED_AT = 4000
