/** For tests that measure real time: a machine that is busy with something else gets two more tries. */
export const REAL_CLOCK = { retry: 2 } as const
