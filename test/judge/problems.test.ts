import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Code } from '../../src/domain/code.ts'
import { CODES, isFault } from '../../src/domain/code.ts'
import { REMOTE_CODES } from '../../src/judge/remote.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { SLACK_CODES } from '../../src/judge/slack.ts'

const FOLDER = join(import.meta.dirname, '../../docs/problems')
const codes = Object.keys(CODES).toSorted()
const isCode = (text: string): text is Code => text in CODES
const faults = codes.filter(isCode).filter(isFault)
const SECTIONS = ['What it means', 'Consequences', 'Common causes', 'What to do', 'How Pilotflame tells']

describe('every fault', () => {
  it('has a page, and every page a fault', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(faults.map((code) => `${code}.md`).toSorted())
  })

  it.each(faults)('%s: its page has its title and all sections', (code) => {
    const page = readFileSync(join(FOLDER, `${code}.md`), 'utf8')
    expect(page.split('\n')[0]).toBe(`# ${CODES[code]}`)
    expect(page).toContain(`\`${code}\``)
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(SECTIONS)
    expect(page.split('\n').length).toBeLessThanOrEqual(45)
  })
})

describe('every code', () => {
  it('is given by a rule or by the reading of a remote run or of Slack’s texts; "log.need-more" by the diagnosis itself too', () => {
    const given = [...rules.flatMap((rule) => rule.codes), ...REMOTE_CODES, ...SLACK_CODES]
    expect([...new Set(given)].toSorted()).toEqual(codes)
  })
})
