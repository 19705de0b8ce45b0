/** Whose hosts are Slack's own: the commercial one, and the one for governments. */
const GOV = 'slack-gov.com'
const COMMON = 'slack.com'

/**
 * An address of a file to which the bot token may go: over TLS a host of the Slack that `apiUrl` belongs to, or the origin of
 * `apiUrl` itself. Null for any other, also for one that only looks alike.
 */
export function ownAddress(address: string, apiUrl: string): URL | null {
  const [url, api] = [URL.parse(address), URL.parse(apiUrl)]
  if (url === null) return null
  const domain = api !== null && isOf(api, GOV) ? GOV : COMMON
  const isSlack = url.protocol === 'https:' && url.port === '' && isOf(url, domain)
  return isSlack || url.origin === api?.origin ? url : null
}

function isOf({ hostname }: URL, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`)
}
