import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Verdict } from '../../src/domain/verdict.ts'
import { VERDICTS } from '../../src/domain/verdict.ts'

/** Every kind of recorded case, in words. */
export const KINDS = [
  { kind: 'A', name: 'answers' },
  { kind: 'B', name: 'logs' },
  { kind: 'C', name: 'GPU tools' },
  { kind: 'D', name: 'SSH' },
  { kind: 'E', name: 'Slack' },
] as const

export type Kind = (typeof KINDS)[number]['kind']

/** Something that was recorded, and what is true of it. */
export interface Case {
  readonly id: string
  readonly kind: Kind
  readonly input: Readonly<Record<string, unknown>>
  readonly verdict: Verdict
}

/** All recorded cases of the tests. */
export function labelledCases(): readonly Case[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder).map((file) => Recorded.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))),
  )
}

const FOLDERS = ['answers', 'logs', 'tools', 'cases'].map((name) =>
  join(import.meta.dirname, '../../test/fixtures', name),
)

const Recorded = z
  .object({
    id: z.string(),
    kind: z.literal(KINDS.map(({ kind }) => kind)),
    input: z.record(z.string(), z.unknown()),
    truth: z.object({ verdict: z.literal(VERDICTS) }),
  })
  .transform(({ truth: { verdict }, ...others }): Case => ({ ...others, verdict }))

/** Whether a verdict says that nothing is wrong. */
export function isHealthy(verdict: Verdict): boolean {
  return verdict === 'healthy' || verdict === 'ok-normalized'
}

/** What there is to search: every text and number that was recorded, but not what was asked for. */
export function textOf({ input }: Case): string {
  return Object.entries(input)
    .flatMap(([name, value]) => (ASKED.has(name) ? [] : valuesIn(value)))
    .join('\n')
}

const ASKED: ReadonlySet<string> = new Set(['request', 'command', 'engine', 'surface'])

function valuesIn(value: unknown): readonly string[] {
  if (value === null) return []
  return typeof value === 'object' ? Object.values(value).flatMap(valuesIn) : [String(value)]
}
