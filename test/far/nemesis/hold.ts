import { vi } from 'vitest'
import type { Box } from '../box/box.ts'

/** A place at which a gate can be made to stand still: just before it runs a program of the box. */
export interface Hold {
  /** The next one that comes there is held. */
  next(): Promise<void>
  /** Resolves when one is. */
  reached(): Promise<void>
  release(): Promise<void>
  /** Kills the gate that is held there, at once; `all` what it had started, too. */
  kill(all: 'all' | 'gate'): Promise<void>
}

/** Holds before `program` runs with these words among its own. The program is replaced by a script that ends in it. */
export async function holdAt(box: Box, program: string, words: string): Promise<Hold> {
  const folder = `/tmp/hold-${program.replaceAll('/', '-')}`
  await box.exec(`mkdir -m 777 ${folder}; mv ${program} ${program}.real`)
  await box.disk.write(program, scriptOf(program, words, folder), { mode: 0o755 })
  const there = async () => (await box.exec(`cat ${folder}/held`)).stdout.trim() !== ''
  return {
    next: async () => void (await box.exec(`echo >${folder}/next; chmod 666 ${folder}/next`)),
    reached: () => vi.waitUntil(there, { timeout: 8000, interval: 20 }).then(() => {}),
    release: async () => void (await box.exec(`rm ${folder}/held`)),
    async kill(all) {
      const { rc, stderr } = await box.exec(`${KILL} ${all}`, `${folder}\n`)
      if (rc !== 0) throw new Error(`the gate could not be killed: ${stderr}`)
    },
  }
}

function scriptOf(program: string, words: string, folder: string): string {
  return `#!/bin/sh
case " $* " in *' ${words} '*)
  if mv ${folder}/next ${folder}/held 2>/dev/null; then
    echo $$ >${folder}/held
    while [ -e ${folder}/held ]; do sleep 0.02; done
  fi ;;
esac
exec ${program}.real "$@"
`
}

/**
 * From the one that is held up to sshd, and killed from there down: the gate must not see one of its own end. `gate`: all but
 * the one that is held and its timeout.
 */
const KILL = `sh -c '
  read -r folder; pid=$(cat "$folder/held"); line=
  while [ "$(cat /proc/$pid/comm)" != sshd ]; do
    line="$pid $line"
    pid=$(sed -n "s/^PPid:.//p" /proc/$pid/status)
  done
  if [ "$0" = gate ]; then line=\${line% * * }; fi
  kill -KILL $line'`
