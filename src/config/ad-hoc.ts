import type { Config } from '../domain/config.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { DEFAULT_BUDGET } from '../domain/smoke.ts'
import type { EngineKind } from '../domain/target.ts'
import { ENGINE_KINDS } from '../domain/target.ts'
import { readBaseUrl } from '../domain/url.ts'
import { DEFAULT_PATIENCE, milliseconds } from './build.ts'
import type { Env } from './environment.ts'
import { readApiKey } from './environment.ts'
import { failureOf } from './problem.ts'

/** What stands on the command line instead of a file. */
export interface AdHoc {
  readonly url: string
  readonly model: string | null
  readonly engine: string | null
  readonly env: Env
  readonly cwd: string
}

/** A configuration in which nothing is set and nothing is kept. */
export const nothingSet: Config = {
  targets: [],
  hosts: [],
  slack: null,
  roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
  slash: { prefix: '', aliases: {} },
  mentionsOnly: false,
  readFiles: false,
  channels: [],
  keep: { promptsMs: 0, attemptsMs: 0 },
  storePath: ':memory:',
  taught: [],
  secrets: [],
}

/** `--url http://127.0.0.1:30000 [--model NAME] [--engine KIND]`: one target, named by its address, and nothing kept. */
export function adHocConfig({ url, model, engine, env, cwd }: AdHoc): Outcome<Config> {
  const base = readBaseUrl(url)
  if (!base.ok) return failed(wrong('--url', base.found, base.next))
  const kind = engine === null ? null : kindOf(engine)
  if (kind === undefined) return failed(wrong('--engine', `"${engine}"`, `use one of ${ENGINE_KINDS.join(', ')}`))
  const key = readApiKey('PILOTFLAME_API_KEY', env, cwd)
  const [problem] = key.problems
  if (problem !== undefined) return failed(failureOf(problem))
  const target = {
    name: new URL(base.url).host,
    engine: kind,
    url: base.url,
    host: null,
    model,
    apiKey: key.value,
    budget: DEFAULT_BUDGET,
    patienceMs: milliseconds(DEFAULT_PATIENCE),
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
  return ok({ ...nothingSet, targets: [target], secrets: key.value === null ? [] : [key.value] })
}

function kindOf(name: string): EngineKind | undefined {
  return ENGINE_KINDS.find((kind) => kind === name)
}

function wrong(thing: string, found: string, next: string): Failure {
  return { kind: 'config', thing, observed: `found ${found}`, next }
}
