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
  if (url === null) return refused('no http or https URL', BARE.test(text) ? `write http://${text}` : LIKE)
  if (url.username !== '' || url.password !== '') {
    return refused('a URL with a user or password in it', `leave them out; to give a key, ${GIVE_KEY}`)
  }
  if (url.search !== '' || url.hash !== '') return refused('a URL with ? or # in it', `leave them out: ${LIKE}`)
  const danger = dangerOf(url.hostname)
  if (danger !== null) return refused(`the ${danger} address ${url.hostname}`, NEVER_CALLED)
  return { ok: true, url: `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '') }
}

/**
 * Why a host is never called, null where it may be: clouds hand out credentials at link-local and metadata addresses
 * (trust.md T28). Takes the host of a URL, which has one spelling of an IPv4 address only, or an address by a name service.
 */
export function dangerOf(host: string): 'link-local' | 'metadata' | null {
  const bare = host.replace(/^\[|\]$|\.$/g, '')
  if (METADATA_NAMES.has(bare)) return 'metadata'
  const address = expanded(bare)
  if (LINK_LOCAL.test(address)) return 'link-local'
  return METADATA.test(address) ? 'metadata' : null
}

/** The next step for such an address. */
export const NEVER_CALLED =
  'name the address of the model server; such addresses are never called, since they hand out credentials'

/** How the key of a server is given: never in its URL. */
export const GIVE_KEY =
  'write api_key_env: NAME at the target in pilotflame.yml and put the key into the variable NAME; with --url, put it into PILOTFLAME_API_KEY'

const LIKE = 'write one such as http://127.0.0.1:30000'

/** A URL of which only the scheme is missing, with nothing in it that may be secret. */
const BARE = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/

const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata', 'metadata.google.internal', 'instance-data'])

/** An IPv4 address in IPv6: mapped, compatible, or behind NAT64. */
const IPV4 = '(?:(?:0000:){5}(?:0000|ffff)|0064:ff9b(?::0000){4}):'
const LINK_LOCAL = new RegExp(`^(?:fe[89ab]|${IPV4}a9fe:)`)
const METADATA = new RegExp(`^(?:${IPV4}6464:64c8|fd00:0ec2(?::0000){5}:0254)$`)

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
