import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { openLog } from '../../src/adapters/log.ts'
import { redactor } from '../../src/domain/redact.ts'

const redact = redactor(['s3cret-value', 'two "quoted" words'])

describe('a line of the log', () => {
  test('is one JSON object with its time, its level, a message and the data apart', () => {
    const [line] = logged((log) => log.warn('store migrated', { from: 1, to: 2, level: 'fake', msg: 'fake' }))
    expect(line).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      msg: 'store migrated',
      data: { from: 1, to: 2, level: 'fake', msg: 'fake' },
    })
  })

  test('is written from its level up', () => {
    const lines = logged((log) => {
      log.debug('1')
      log.info('2')
      log.warn('3')
      log.error('4')
    }, 'warn')
    expect(lines.map((line) => line['msg'])).toEqual(['3', '4'])
  })

  const hidden: readonly (readonly [where: string, data: Record<string, unknown>])[] = [
    ['a text', { text: 'before s3cret-value after' }],
    ['a text with quotes', { text: 'two "quoted" words' }],
    ['a list in an object', { deep: [{ deeper: ['s3cret-value'] }] }],
    ['a key', { 's3cret-value': 1 }],
    ['a value by the name of its key', { botToken: 's3cret-value"tail' }],
    ['an error', { error: new Error('refused s3cret-value') }],
    ['the cause of an error', { error: Object.assign(new Error('x'), { cause: new Error('s3cret-value') }) }],
  ]
  test.each(hidden)('hides a secret in %s', (_where, data) => {
    const [line] = logged((log) => log.info('x', data))
    expect(JSON.stringify(line)).not.toMatch(/s3cret|quoted|tail/)
    expect(JSON.stringify(line)).toContain('[redacted]')
  })

  test('hides a secret in the message', () => {
    expect(logged((log) => log.info('s3cret-value'))[0]?.['msg']).toBe('[redacted]')
  })

  test('keeps what is no secret', () => {
    const data = { text: 'token s of the trade', n: 1.5, yes: true, none: null, list: ['a', 2] }
    expect(logged((log) => log.info('x', data))[0]?.['data']).toEqual(data)
  })

  test('is bounded, whatever it is given', () => {
    const round: Record<string, unknown> = { big: 10n, run: () => 1 }
    round['again'] = round
    const data = { round, long: 'x'.repeat(1e6), many: Array.from({ length: 1e5 }, () => 1) }
    const [line] = logged((log) => log.info('x', data))
    expect(JSON.stringify(line).length).toBeLessThan(10_000)
    expect(JSON.stringify(line)).toContain('(1000000 characters)')
  })
})

test('a log that nobody reads any more stops nothing', async () => {
  const script = `
    import { openLog } from ${JSON.stringify(new URL('../../src/adapters/log.ts', import.meta.url).href)}
    const log = openLog({ level: 'info', redact: (text) => text })
    process.stdin.once('data', () => {
      for (let n = 0; n < 1000; n++) log.info('x')
      setImmediate(() => console.log('still here'))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.end('go')
  const [said] = await once(child.stdout, 'data')
  expect(String(said)).toBe('still here\n')
})

function logged(write: (log: ReturnType<typeof openLog>) => void, level: 'info' | 'warn' = 'info') {
  const lines: Record<string, unknown>[] = []
  write(openLog({ level, redact, stream: { write: (line) => lines.push(JSON.parse(line)) } }))
  return lines
}
