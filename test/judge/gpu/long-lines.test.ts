import { expect, it } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { growth } from '../../growth.ts'
import { ran } from '../ran.ts'

const LINES = 500

/** So many lines of one word, again and again. */
function linesOf(word: string, length: number): string {
  const line = word.repeat(Math.ceil(length / LINES / word.length))
  return `${line}\n`.repeat(LINES)
}

it.each(['amdgpu ', 'amdgpu ring ', 'amdgpu Process ', 'GPU '])(
  '500 lines of the kernel of “%s” cost twice as much where they are twice as long',
  (word) => {
    const { once, twice, times } = growth(
      (text) => diagnose(ran('dmesg', text), rules),
      (length) => linesOf(word, length),
      500_000,
    )
    expect(times, `${once} ms for 0.5 MB, ${twice} ms for 1 MB`).toBeLessThan(3)
  },
)
