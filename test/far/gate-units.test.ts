import { describe, expect, test } from 'vitest'
import { refusal, tried } from './gate-unit.ts'
import { ask, gateWorld, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

each('the list of units, under $name', ({ reason, shell }) => {
  test('may have line ends of Windows', async () => {
    const world = await gateWorld({
      reason,
      units: '# list\r\n\r\nmain sglang.service\r\nweb web.service log=/nowhere/a.log\r\n',
    })
    expect((await ask(world, shell, 'tree', 'main')).rc).toBe(0)
    expect(refusal(await ask(world, shell, 'log', 'web lines 1'))).toBe('not-there /nowhere/a.log\n')
    expect(Object.keys((await ask(world, shell, 'units')).sections)).toEqual(['unit.main', 'unit.web'])
  })

  test.each([
    ['sglang.service log=app.log', 'log=app.log'],
    ['sglang.service log=', 'log='],
    ['sglang.service log=/a/../b', 'log=/a/../b'],
    ['sglang.service model=models/a strays=nobody', 'model=models/a'],
    ['sglang.service log=/a strays=$(id)', 'strays=$(id)'],
    ['sglang.service strays=root', 'strays=root'],
  ])('a line that does not fit is not half believed: main %s', async (line, flaw) => {
    const world = await gateWorld({ reason, units: `# list\nweb web.service\nmain ${line}\n` })
    const answer = await ask(world, shell, 'log', 'main lines 1')
    const said = `permission ${world.folder}/etc/units, line 3: ${flaw} does not fit\n`
    expect([answer.rc, refusal(answer)]).toEqual([77, said])
    expect((await ask(world, shell, 'log', 'web lines 1')).rc).toBe(0)
    expect((await ask(world, shell, 'units')).rc).toBe(0)
  })
})
