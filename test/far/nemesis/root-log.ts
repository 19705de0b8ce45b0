import type { Box } from '../box/box.ts'

/** What was done as root in a box, by sudo's own word: `systemctl --no-block restart main.service`, one for each time. */
export interface RootLog {
  acts(): Promise<readonly string[]>
  /** how many of them changed this unit */
  of(unit: string): Promise<number>
  clear(): Promise<void>
}

const FILE = '/var/log/sudo.log'

/** Lets sudo write down what it runs, on the disk of the box. What it was only asked about (`sudo -l`) is no act. */
export async function rootLog(box: Box): Promise<RootLog> {
  await box.disk.write('/etc/sudoers.d/record', `Defaults logfile=${FILE}, loglinelen=0\n`, { mode: 0o440 })
  const acts = async () => {
    const text = await box.disk.read(FILE).catch(() => '')
    return Array.from(text.matchAll(/COMMAND=\/usr\/bin\/(systemctl .+)/g), ([, act = '']) => act)
  }
  return {
    acts,
    of: async (unit) => (await acts()).filter((act) => act.endsWith(` ${unit}.service`)).length,
    clear: () => box.disk.write(FILE, '', { mode: 0o600 }),
  }
}
