import { z } from 'zod'
import type { Check, CheckResult } from '../domain/check.ts'
import { defineCommand } from '../domain/command.ts'
import { counted, report } from '../domain/report.ts'

/** How long one check may take, in ms. */
const CHECK_MS = 20_000

/** Everything that must hold for the bot to work, each line ok or what to do. */
export const doctor = defineCommand({
  word: 'doctor',
  verb: null,
  summary: 'Check configuration, tokens, sockets, host keys, tunnels, engines, store',
  usage: 'doctor',
  access: 'read',
  needsMention: true,
  takes: 'nothing',
  args: z.object({}),
  async run(_given, tools) {
    const results = await Promise.all(
      tools.checks.map(async (check) => ({ check, result: await bounded(check, tools.signal) })),
    )
    const count = (state: CheckResult['state']) => results.filter(({ result }) => result.state === state).length
    const faults = count('fault')
    const status = faults === 0 ? 'healthy' : 'misconfigured'
    return report({
      tone: faults > 0 ? 'bad' : count('warning') > 0 ? 'warning' : 'good',
      status,
      title: titleOf(results.length, { faults, warnings: count('warning'), skipped: count('skipped') }),
      sections: [
        {
          kind: 'text',
          title: 'Checks',
          body: results.map((one, at) => line(one, results.slice(0, at))).join('\n'),
          folded: false,
        },
      ],
      json: { status, checks: results.map(inJson) },
    })
  },
})

interface Checked {
  readonly check: Check
  readonly result: CheckResult
}

function inJson({ check: { name: check }, result: { state, saw, ...more } }: Checked) {
  return { check, state, saw, ...('next' in more ? { next: more.next } : {}) }
}

async function bounded(check: Check, signal: AbortSignal): Promise<CheckResult> {
  return check.run(AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]))
}

interface Counts {
  readonly faults: number
  readonly warnings: number
  readonly skipped: number
}

function titleOf(all: number, { faults, warnings, skipped }: Counts): string {
  if (faults > 0) return `${faults} of ${all} checks found a fault`
  if (warnings + skipped === 0) return `All ${all} checks are fine`
  const rest = [
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} not looked at`] : []),
  ]
  return `${all - warnings - skipped} of ${all} checks are fine, ${rest.join(', ')}`
}

/** What has the cause of an earlier line, a host that is down for one, is not told again. */
function line({ check, result }: Checked, before: readonly Checked[]): string {
  const told = before.find((one) => causeOf(result) !== undefined && causeOf(one.result) === causeOf(result))
  if (told !== undefined) return `✗ ${check.name}: the same as ${told.check.name}`
  switch (result.state) {
    case 'ok':
      return `✓ ${check.name}: ${result.saw}`
    case 'warning':
      return `! ${check.name}: ${result.saw}. Next: ${result.next}`
    case 'fault':
      return `✗ ${check.name}: ${result.saw}. Next: ${result.next}`
    case 'skipped':
      return `- ${check.name}: ${result.saw}`
  }
}

function causeOf(result: CheckResult): string | undefined {
  return 'cause' in result ? result.cause : undefined
}
