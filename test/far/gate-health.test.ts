import { chmod, copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountFolder, by, NOBODY, openToAll, tried } from './gate-unit.ts'
import { answerIn, ask, gateWorld, newOp, skips } from './gate-world.ts'

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

  test('five columns that are refused one by one take only their own groups with them', async () => {
    const world = await gateWorld({ reason })
    const names = ['remapped_rows.pending', 'temperature.gpu.tlimit', ...OLD.slice(1)]
    const refusals = names.map((name) => `*${name}*) echo 'Field "${name}" is not a valid field to query.'; exit 2 ;;`)
    await world.tool('nvidia-smi', `case $* in ${refusals.join('\n')} *nvlink*) exit 0 ;; esac\necho 0, GPU-1`)
    const { sections } = await ask(world, shell, 'host-health')
    expect(sections['cards']).toEqual({
      rc: 0,
      text: expect.stringMatching(
        /^columns index,\S*,persistence_mode,pcie\.\S*,pcie\.link\.width\.max,ecc\.\S*,retired_pages\.pending,clocks_throttle_reasons\.active\n0, GPU-1\n$/,
      ),
    })
  })

  test('a driver that knows none of them is asked what all know, in nine calls at most', async () => {
    const world = await gateWorld({ reason })
    await world.tool(
      'nvidia-smi',
      `columns=\${1#--query-gpu=}; echo "Field \\"\${columns##*,}\\" is not a valid field to query."; exit 2`,
    )
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, sections['cards']?.rc, 'links' in sections]).toEqual([0, 2, false])
    expect(sections['cards']?.text).toMatch(/^columns index,\S*,persistence_mode\nField /)
    expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toHaveLength(9)
  })
})

each('health of a machine that withholds a part, under $name', ({ reason, shell }) => {
  test('a part that takes too long is missing, and the rest is told', async () => {
    const edit = (text: string) =>
      text.replace('asked 3 disk_space', 'asked 1 disk_space').replace('asked 16 card_health', 'asked 1 card_health')
    const world = await gateWorld({ reason, edit, units: 'main sglang.service model=/srv\n' })
    for (const tool of ['df', 'nvidia-smi']) await world.tool(tool, 'exec sleep 60')
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, sections['disk']?.rc, sections['cards']?.rc]).toEqual([0, 124, 124])
    expect(sections['machine']?.text).toMatch(
      /^kernel=.*\nuptime=\d+\ntime=\d+\ncontainer=.*\nvm=.*\ndriver=.*\nMemTotal=\d+\n/,
    )
    expect((await world.calls()).find((call) => call.startsWith('df '))).toMatch(/^df -P -k \/ .*\/srv$/)
  })

  test('a df that no signal ends is waited for by nobody, and the other parts are told', async () => {
    const edit = (text: string) => text.replace('asked 3 disk_space', 'asked 1 disk_space')
    const world = await gateWorld({ reason, edit })
    const free = join(world.folder, 'free')
    onTestFinished(() => writeFile(free, '').catch(() => {}))
    // a process that waits in the kernel cannot be made: here `timeout` leaves it alone for 60 s
    await world.tool('timeout', `case $* in *' df '*) shift 3; exec "$@" ;; *) exec /usr/bin/timeout "$@" ;; esac`)
    await world.tool('df', `i=0; while [ ! -e ${free} ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done`)
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, Object.keys(sections)]).toEqual([0, ['machine', 'devices', 'services', 'disk', 'cards', 'links']])
    expect([sections['cards']?.rc, sections['links']?.rc, sections['disk']?.rc]).toEqual([0, 0, 124])
  })
})

each('health as an account sees it that is not root, or without its list, under $name', ({ reason, shell }) => {
  test('a tool that may be run and not read is asked like any other', async () => {
    const world = await gateWorld({ reason })
    await openToAll(world)
    await accountFolder(world)
    await rm(join(world.folder, 'bin/nvidia-smi'))
    await copyFile('/bin/echo', join(world.folder, 'bin/nvidia-smi'))
    await chmod(join(world.folder, 'bin/nvidia-smi'), 0o711)
    const { rc, sections } = await ask(world, by(NOBODY, shell), 'host-health')
    expect([rc, sections['cards']?.rc]).toEqual([0, 0])
    expect(sections['cards']?.text).toMatch(/^columns index,\S*\n--query-gpu=index,/)
    expect((await ask(world, by(NOBODY, shell), 'cards')).sections['cards']?.text).toMatch(/^--query-gpu=index,/)
  })

  test('an account without a place for the lock, and a host without flock: the cards alone are not known', async () => {
    const world = await gateWorld({ reason })
    await openToAll(world)
    await rm(join(world.folder, 'state'), { recursive: true })
    const place = 'permission no home: no folder of this account in which it could lock its GPU tool\n'
    for (const [home, rc, text] of [
      ['', 77, place],
      ['/nonexistent', 77, place.replace('no home', '/nonexistent/.local/state/pilotflame')],
      ['', 69, 'tool-missing flock\n'],
    ] as const) {
      if (rc === 69) await rm(join(world.folder, 'bin/flock'))
      const op = newOp()
      const told = answerIn(await world.quick(by(NOBODY, shell), ['host-health', op], { HOME: home }), op)
      expect([told.rc, Object.keys(told.sections)]).toEqual([0, ['machine', 'devices', 'services', 'disk', 'unlocked']])
      expect(told.sections['unlocked']).toEqual({ rc, text })
    }
    expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toEqual([])
  })

  test('a list of units that is not believed hides nothing else', async () => {
    const world = await gateWorld({ reason, units: 'main sglang.service model=/srv\n' })
    await chmod(join(world.folder, 'etc/units'), 0o664)
    const { rc, sections } = await ask(world, shell, 'host-health')
    expect([rc, Object.keys(sections)]).toEqual([0, ['machine', 'devices', 'services', 'disk', 'cards', 'links']])
    expect((await world.calls()).find((call) => call.startsWith('df '))).not.toContain('/srv')
  })
})
