/** So many measurements; the least counts, since everything else that runs only adds. */
const TRIES = 3

export interface Growth {
  /** ms of this thread's CPU */
  readonly once: number
  readonly twice: number
  /** 2 where time grows with length, 4 where it grows with its square */
  readonly times: number
}

/** Some systems count CPU in ticks, so that less than this may be measured as nothing; in ms. */
const LEAST = 20

/** What work on a text costs, and work on one that is twice as long. */
export function growth(work: (text: string) => unknown, textOf: (length: number) => string, length: number): Growth {
  const [short, long] = [textOf(length), textOf(2 * length)]
  work(short)
  const [once, twice] = [least(() => work(short)), least(() => work(long))]
  return { once, twice, times: twice / Math.max(once, LEAST) }
}

function least(work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: TRIES }, () => {
      const from = process.threadCpuUsage()
      work()
      const { user, system } = process.threadCpuUsage(from)
      return (user + system) / 1_000
    }),
  )
}
