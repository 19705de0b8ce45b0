/** Whom a client asked, as far as its lines name it. */
export interface Asked {
  /** `127.0.0.1:30000`, `[::1]:30000` or a name alone; null where no line names it */
  readonly address: string | null
  readonly port: string | null
  /** a public name or address at the port of the web: seldom a model server of one's own */
  readonly isOutside: boolean
}

/** Read from the first line that names an address. */
export function askedIn(lines: readonly string[]): Asked {
  for (const line of lines) {
    const found = ADDRESSES.map((pattern) => pattern.exec(line)?.groups).find((groups) => groups !== undefined)
    const { host, port = null } = found ?? {}
    if (host === undefined) continue
    const shown = host.includes(':') ? `[${host}]` : host
    return {
      address: port === null ? host : `${shown}:${port}`,
      port,
      isOutside: (port === null || port === '443') && isPublic(host),
    }
  }
  return { address: null, port: null, isOutside: false }
}

const ADDRESSES: readonly RegExp[] = [
  /(?:connect to|remote host) (?<host>[\w.:-]{1,120}?),? port (?<port>\d{1,5})/i,
  /host='(?<host>[\w.:-]{1,120})', port=(?<port>\d{1,5})/,
  /Cannot connect to host (?<host>[\w.-]{1,120}):(?<port>\d{1,5})/,
  /(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) (?<host>[\w.:-]{1,80}):(?<port>\d{1,5})\b/,
  /Connecting to .{0,200}?(?<host>[\w.:-]{1,120})[\]|]?:(?<port>\d{1,5})(?=\.\.\.)/,
  /"https?:\/\/(?<host>[\w.-]{1,120}):(?<port>\d{1,5})/,
  /"https:\/\/(?<host>[\w.-]{1,120})\//,
  /Connect call failed \('(?<host>[\w.:-]{1,80})', (?<port>\d{1,5})/,
  /(?:resolve (?:host|host address)?:? ?['‘"]?|getaddrinfo E\w{1,12} )(?<host>[\w.-]{1,120})/i,
]

/** Not of this machine, a private network or a link, and no name that only an own network knows. */
function isPublic(host: string): boolean {
  if (!host.includes('.')) return false
  return !/^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$|\.(?:local|localhost|localdomain|lan|internal|intranet|home|corp|test|arpa|svc)\.?$/i.test(
    host,
  )
}

/** Whether a line is about a registry, an index of packages, or a hub, none of which serves a model. */
export function isStore(line: string): boolean {
  return STORE.test(line)
}

const STORE =
  /\b(?:docker\.(?:io|com)|ghcr\.io|quay\.io|nvcr\.io|gcr\.io|pkg\.dev|azurecr\.io|ecr\.aws|registry[\w-]{0,20}\.[\w-]|k8s\.io|pypi\.(?:org|nvidia\.com)|pythonhosted\.org|anaconda\.(?:org|com)|npmjs\.(?:org|com)|crates\.io|golang\.org|github\.(?:com|io)|githubusercontent\.com|gitlab\.com|debian\.org|ubuntu\.com|fedoraproject\.org|archlinux\.org|download\.nvidia\.com|repo\.radeon\.com|download\.pytorch\.org|huggingface\.co|hf\.co|hf-mirror\.com|modelscope\.cn|ollama\.(?:com|ai))\b/i
