/** A base URL that may be called, or what was found in its place and what to do. */
export type BaseUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly found: string; readonly next: string }

/**
 * Judges the base URL of a server; gives it without slash and without `/v1` at its end, which the engines add. What it
 * says never repeats a part in which a secret may stand.
 */
export function readBaseUrl(text: string): BaseUrl {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (isPortWrong(text, url)) return refused('a URL whose port is out of range', PORTS)
  if (url === null) return refused('no http or https URL', BARE.test(text) ? `write http://${text} instead` : LIKE)
  if (url.username !== '' || url.password !== '') {
    return refused('a URL with a user or password in it', `leave them out; to give a key, ${GIVE_KEY}`)
  }
  if (url.search !== '' || url.hash !== '') return refused('a URL with ? or # in it', `leave them out: ${LIKE}`)
  const danger = dangerOf(url.hostname)
  if (danger !== null) return refused(`the ${danger} address ${url.hostname}`, NEVER_CALLED)
  return { ok: true, url: `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '') }
}

/** Judges the address of a proxy in the same way; gives its origin. */
export function readProxyUrl(text: string): BaseUrl {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (isPortWrong(text, url)) return refused('the URL of a proxy whose port is out of range', PORTS)
  if (url === null) return refused('no URL of a proxy', PROXY_LIKE)
  if (url.username !== '' || url.password !== '') {
    return refused(
      'the URL of a proxy with a user or password in it',
      'let the proxy accept this machine by its address',
    )
  }
  if (url.protocol !== 'http:') {
    return refused(
      'a proxy that is spoken to by TLS',
      `name its plain port: https targets go through that, too; ${PROXY_LIKE}`,
    )
  }
  if (`${url.pathname}${url.search}${url.hash}` !== '/') {
    return refused('the URL of a proxy with more than its address in it', PROXY_LIKE)
  }
  const danger = dangerOf(url.hostname)
  if (danger !== null) return refused(`the ${danger} address ${url.hostname}`, `${PROXY_LIKE}; ${NEVER}`)
  return { ok: true, url: url.origin }
}

/**
 * Why a host is never called, null where it may be: clouds hand out credentials at link-local and metadata addresses
 * (trust.md T28). Takes the host of a URL, which has one spelling of an IPv4 address only, or an address by a name service.
 */
export function dangerOf(host: string): 'link-local' | 'metadata' | null {
  const bare = host.replace(/^\[|\]$|\.$/g, '')
  if (METADATA_NAMES.has(bare)) return 'metadata'
  const address = expanded(bare)
  const inside =
    EMBEDDED.exec(address)
      ?.slice(1)
      .find((groups) => groups !== undefined) ?? ''
  if (LINK_LOCAL.test(address) || inside.startsWith('a9fe:')) return 'link-local'
  return METADATA.has(address) || METADATA.has(inside) ? 'metadata' : null
}

/** Whether it is a URL but for the number of its port. */
function isPortWrong(text: string, url: URL | null): boolean {
  return url === null ? URL.parse(text.replace(PORT, '$1')) !== null && PORT.test(text) : url.port === '0'
}

/** A port after the host, with nothing before it that may be a user or a password. */
const PORT = /^(https?:\/\/(?:\[[\da-f:.]{2,45}\]|[^/?#@:\\]+)):\d+(?=[/?#]|$)/i
const PORTS = 'correct it: ports go from 1 to 65535'

const NEVER = 'such addresses are never called, since they hand out credentials'

/** The next step for such an address. */
export const NEVER_CALLED = `name the address of the model server; ${NEVER}`

/** How the key of a server is given: never in its URL. */
export const GIVE_KEY =
  'write api_key_env: NAME at the target in pilotflame.yml and put the key into the variable NAME; with --url, put it into PILOTFLAME_API_KEY'

/** No address at the end: a full stop follows, and people copy it along. */
const LIKE = 'write http://127.0.0.1:30000 or the like'
const PROXY_LIKE = 'write http://proxy.example:3128 or the like'

/** A URL of which only the scheme is missing, with nothing in it that may be secret. */
const BARE = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
])

/** IPv4 addresses inside IPv6 ones: compatible, mapped, translated, behind NAT64 (well-known and local), and 6to4. */
const EMBEDDED =
  /^(?:(?:0000:){5}(?:0000|ffff)|(?:0000:){4}ffff:0000|0064:ff9b(?::0000){4}|0064:ff9b:0001(?::[\da-f]{4}){3}):(.{9})$|^2002:(.{9})/

const LINK_LOCAL = /^fe[89ab]/

/** As two groups or eight: Alibaba, Azure, Oracle; AWS (machines and pods), Google, Oracle, Scaleway. */
const METADATA: ReadonlySet<string> = new Set([
  '6464:64c8',
  'a83f:8110',
  'c000:00c0',
  'fd00:0ec2:0000:0000:0000:0000:0000:0254',
  'fd00:0ec2:0000:0000:0000:0000:0000:0023',
  'fd20:00ce:0000:0000:0000:0000:0000:0254',
  'fd00:00c1:0000:0000:0000:0000:a9fe:a9fe',
  'fd00:0042:0000:0000:0000:0000:0000:0042',
])

/** All eight groups of an address, IPv4 as its mapped form; empty for a name. */
function expanded(host: string): string {
  const written = host.includes(':') ? host.replace(/%.*$/, '') : `::ffff:${host}`
  const canonical = URL.parse(`http://[${written}]`)?.hostname.slice(1, -1)
  if (canonical === undefined) return ''
  const [left = [], right = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...gap, ...right].map((group) => group.padStart(4, '0')).join(':')
}

function refused(found: string, next: string): BaseUrl {
  return { ok: false, found, next }
}
