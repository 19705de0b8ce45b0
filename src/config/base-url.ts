export type BaseUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly found: string; readonly next: string }

const LIKE = 'write one such as http://127.0.0.1:30000'

/**
 * Checks the base URL of a server; gives it without slash and without `/v1` at its end, which the engines add.
 * Link-local addresses, where clouds keep credentials, are refused (trust.md T28).
 */
export function readBaseUrl(text: string): BaseUrl {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null) {
    const meant = /^[\w.-]+(?::\d+)?(?:\/.*)?$/.test(text) ? `write http://${text}` : LIKE
    return { ok: false, found: 'no http or https URL', next: meant }
  }
  if (url.username !== '' || url.password !== '') {
    return {
      ok: false,
      found: 'a URL with a user or password in it',
      next: 'leave them out; a key goes into the variable that api_key_env names',
    }
  }
  if (url.search !== '' || url.hash !== '')
    return { ok: false, found: 'a URL with ? or # in it', next: `leave them out: ${LIKE}` }
  if (LINK_LOCAL.test(url.hostname)) return { ok: false, found: `the link-local address ${url.hostname}`, next: LIKE }
  return { ok: true, url: `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '') }
}

const LINK_LOCAL = /^(?:169\.254\.|\[fe[89ab]|\[::ffff:a9fe:|metadata\.google\.internal$)/i
