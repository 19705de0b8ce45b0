import { z } from 'zod'
import type { Check, CheckResult } from '../domain/check.ts'
import { defineCommand } from '../domain/command.ts'
import { report } from '../domain/report.ts'

/** How long one check may take, in ms. */
const CHECK_MS = 20_000

/** Everything that must hold for the bot to work, each line ok or what to do. */
export const doctor = defineCommand({
  word: 'doctor',
  verb: null,
  summary: 'Check configuration, tokens, sockets, host keys, tunnels and engines',
  usage: 'doctor',
  access: 'read',
  takes: 'nothing',
  args: z.object({}),
  async run(_given, tools) {
    const results = await Promise.all(
      tools.checks.map(async (check) => ({ check, result: await bounded(check, tools.signal) })),
    )
    const faults = results.filter(({ result }) => result.state === 'fault').length
    return report({
      tone: faults === 0 ? 'good' : 'bad',
      status: faults === 0 ? 'healthy' : 'misconfigured',
      title:
        faults === 0 ? `All ${results.length} checks are fine` : `${faults} of ${results.length} checks found a fault`,
      sections: [
        {
          kind: 'text',
          title: 'Checks',
          body: results.map((one, at) => line(one, results.slice(0, at))).join('\n'),
          folded: false,
        },
      ],
      json: results.map(({ check, result }) => ({ check: check.name, ...result })),
    })
  },
})

interface Checked {
  readonly check: Check
  readonly result: CheckResult
}

async function bounded(check: Check, signal: AbortSignal): Promise<CheckResult> {
  return check.run(AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]))
}

/** A fault that an earlier line has told already, a host that is down for one, is not told again. */
function line({ check, result }: Checked, before: readonly Checked[]): string {
  const told = before.find((one) => result.state !== 'ok' && one.result.saw === result.saw)
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
