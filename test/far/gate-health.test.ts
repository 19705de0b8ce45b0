import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tried } from './gate-unit.ts'
import { ask, gateWorld, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

each('health of the machine, under $name', ({ reason, shell }) => {
  const OLD = ['fabric.state', 'fabric.status', 'gpu_recovery_action', 'clocks_event_reasons.active']

  test('what the driver does not know is left out, one after the other, and a reason asked by its older name', async () => {
    const world = await gateWorld({ reason })
    const refusals = OLD.slice(0, 3).map(
      (name) => `*${name}*) echo 'Field "${name}" is not a valid field to query.'; exit 2 ;;`,
    )
    await world.tool('nvidia-smi', `case $* in ${refusals.join('\n')} *nvlink*) exit 0 ;; esac\necho 0, GPU-1`)
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, sections['cards']?.rc, sections['links']]).toEqual([0, 0, { rc: 0, text: '' }])
    expect(sections['cards']?.text).toMatch(
      /^columns index,uuid,\S*,clocks_event_reasons\.active,temperature\.gpu\.tlimit\n0, GPU-1\n$/,
    )
    await world.tool(
      'nvidia-smi',
      `case $* in *clocks_event*) echo 'Field "${OLD[3]}" is not a valid field to query.'; exit 2 ;; esac\necho 0, GPU-1`,
    )
    const older = await ask(world, shell, 'host-health')
    expect(older.sections['cards']?.text).toContain(',clocks_throttle_reasons.active,')
  })

  test('a driver that knows none of them is asked what all know, in five calls at most', async () => {
    const world = await gateWorld({ reason })
    await world.tool(
      'nvidia-smi',
      `columns=\${1#--query-gpu=}; echo "Field \\"\${columns##*,}\\" is not a valid field to query."; exit 2`,
    )
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, sections['cards']?.rc, 'links' in sections]).toEqual([0, 2, false])
    expect(sections['cards']?.text).toMatch(/^columns index,\S*,pcie\.link\.width\.max\nField /)
    expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toHaveLength(5)
  })

  test('a part that takes too long is missing, and the rest is told', async () => {
    const edit = (text: string) =>
      text.replace('limited 3 df', 'limited 1 df').replace('asked 16 card_health', 'asked 1 card_health')
    const world = await gateWorld({ reason, edit, units: 'main sglang.service model=/srv\n' })
    for (const tool of ['df', 'nvidia-smi']) await world.tool(tool, 'exec sleep 60')
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, sections['disk']?.rc, sections['cards']?.rc]).toEqual([0, 124, 124])
    expect(sections['machine']?.text).toMatch(
      /^kernel=.*\nuptime=\d+\ntime=\d+\ncontainer=.*\nvm=.*\ndriver=.*\nMemTotal=\d+\n/,
    )
    expect((await world.calls()).find((call) => call.startsWith('df '))).toMatch(/^df -P -k \/ .*\/srv$/)
  })

  test('a list of units that is not believed hides nothing else', async () => {
    const world = await gateWorld({ reason, units: 'main sglang.service model=/srv\n' })
    await chmod(join(world.folder, 'etc/units'), 0o664)
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, Object.keys(sections)]).toEqual([0, ['machine', 'devices', 'services', 'disk', 'cards', 'links']])
    expect((await world.calls()).find((call) => call.startsWith('df '))).not.toContain('/srv')
  })
})
