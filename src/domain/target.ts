/** Every kind of inference server; the only list of them. */
export const ENGINE_KINDS = ['sglang', 'vllm', 'llama-cpp', 'ollama', 'openai'] as const

export type EngineKind = (typeof ENGINE_KINDS)[number]

/** One served model as configured. */
export interface Target {
  readonly name: string
  /** null: find out by asking */
  readonly engine: EngineKind | null
  /** base URL as seen from the host (or from here, where there is no host), without a trailing slash */
  readonly url: string
  /** name of the host whose SSH connection carries the requests; null for direct HTTP */
  readonly host: string | null
  /** the model name to ask for; null: whatever the server lists first */
  readonly model: string | null
  readonly apiKey: string | null
  /** default max_tokens */
  readonly budget: number
  /** nothing of the model for this long is a hang, in ms; a long prefill is silent too */
  readonly patienceMs: number
  /** certificates in PEM that may vouch for an https server besides the public ones; null: those only */
  readonly ca: string | null
  /** `http://proxy:3128`: the proxy that direct requests go through; null: none, whatever the environment says */
  readonly proxy: string | null
  /** whether a second person must approve a change of it */
  readonly protected: boolean
  /** the name that the gate on the host knows the server's unit by; null: not said */
  readonly unit: string | null
}

/** Whether both names mean one unit of one host, as two served models of one server do. */
export function isOneUnit(one: Target, other: Target): boolean {
  return one.unit !== null && one.host !== null && one.unit === other.unit && one.host === other.host
}

/** A unit that is protected by one of its names is so by all of them. */
export function protectedAlike(targets: readonly Target[]): readonly Target[] {
  const guarded = targets.filter((one) => one.protected)
  return targets.map((one) => (guarded.some((other) => isOneUnit(one, other)) ? { ...one, protected: true } : one))
}

/** A machine reached by SSH. Paths are absolute. */
export interface HostSettings {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly key: HostKeySource
  readonly trust: HostTrust
  /** name of another host to go through */
  readonly jump: string | null
  /** how the gate is delivered; null: found out at the first verb */
  readonly gate: GateDelivery | null
}

/** Names of the hosts that are more than a way to others: of a jump host only where a target stands on it. */
export function hostsToLookAt(hosts: readonly HostSettings[], targets: readonly Target[]): readonly string[] {
  const jumps = new Set(hosts.map(({ jump }) => jump))
  const names = hosts.map(({ name }) => name)
  return names.filter((name) => !jumps.has(name) || targets.some(({ host }) => host === name))
}

/** The ways in which the gate comes to a host. */
export const GATE_DELIVERIES = ['installed', 'quick'] as const

/** `installed`: it is the forced command of the account. `quick`: it is sent over standard input with each verb. */
export type GateDelivery = (typeof GATE_DELIVERIES)[number]

/** How we prove who we are. */
export type HostKeySource =
  | { readonly from: 'file'; readonly path: string; readonly passphrase: string | null }
  | { readonly from: 'text'; readonly text: string; readonly passphrase: string | null }
  /** `only`: path of the public key of the one key to offer; a server shuts out who offers many */
  | { readonly from: 'agent'; readonly socket: string; readonly only?: string }

/** How the host proves who it is: known_hosts files, or pinned public key lines (`ssh-ed25519 AAAA…`). */
export type HostTrust =
  | { readonly from: 'files'; readonly paths: readonly string[] }
  | { readonly from: 'pinned'; readonly keys: readonly string[] }
