import type { Report } from '../../../src/domain/report.ts'
import { golden } from '../../../src/surfaces/slack/golden.ts'

export const running = named('smoke-running')
export const healthy = named('smoke-healthy')

function named(name: string): Report {
  const found = golden().find((one) => one.name === name)
  if (found === undefined) throw new Error(`no golden report ${name}`)
  return found.report
}
