import { openApi } from '../adapters/http.ts'
import { inTurn } from '../adapters/limiter.ts'
import type { sshPool } from '../adapters/ssh.ts'
import type { Engine, Reach } from '../domain/engine.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api, Log } from '../domain/ports.ts'
import type { EngineKind, Target } from '../domain/target.ts'
import { detectEngine, engines } from '../engines/index.ts'

export interface Reacher {
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  close(): Promise<void>
}

type OpenApi = Api & { close(): Promise<void> }

/** Opens the way to a target once and keeps it: HTTP directly, or through its host's SSH connection. */
export function reacher(ssh: ReturnType<typeof sshPool>, log: Log): Reacher {
  const open = new Map<string, OpenApi>()

  function apiOf(target: Target): Outcome<OpenApi> {
    const known = open.get(target.name)
    if (known !== undefined) return ok(known)
    const { name, url, apiKey, host, ca, proxy } = target
    const dial =
      host === null
        ? null
        : (address: string, port: number, signal: AbortSignal) => ssh.dial(host, address, port, signal)
    const opened = openApi({ name: `target ${name}`, url, apiKey, dial, ca, proxy, log })
    if (!opened.ok) return opened
    const api = inTurn(`target ${name}`, opened.value)
    open.set(name, api)
    return ok(api)
  }

  return {
    async reach(target, signal) {
      const api = apiOf(target)
      if (!api.ok) return failed(api.failure)
      if (target.engine !== null) return ok({ engine: engineOf(target.engine), api: api.value, info: {} })
      const found = await detectEngine(api.value, signal)
      return found.ok ? ok({ ...found.value, api: api.value }) : failed(found.failure)
    },
    async close() {
      await Promise.all([...open.values()].map((api) => api.close()))
    },
  }
}

/** Every kind has its engine, which a test holds; the common dialect stands here for the type's sake. */
function engineOf(kind: EngineKind): Engine {
  const [common] = engines
  return engines.find((one) => one.kind === kind) ?? common
}
