import { defineConfig } from 'vitest/config'
import { closingLine } from './test/setup/closing-line.ts'

/** Tests that need real programs, or all of the machine, run one after another once the others are done: their clocks are real. */
const ELSEWHERE = ['test/chaos/**', 'test/far/*.test.ts', 'test/browser/**']

/** Tests of plain values: they leave nothing behind in a process, so one process and its modules serve them all. */
const PURE = ['commands', 'config', 'dispatch', 'domain', 'engines', 'judge', 'parse'].map(
  (of) => `test/${of}/**/*.test.ts`,
)

/** Among them, and each in a process of its own: what is timed, which other files' garbage and shapes would slow down. */
const TIMED = ['test/domain/gate/reply.test.ts', 'test/engines/metrics.test.ts', 'test/judge/ends.test.ts']

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'pure',
          include: PURE,
          exclude: TIMED,
          isolate: false,
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { name: 'timed', include: TIMED, testTimeout: 10_000, sequence: { groupOrder: 0 } } },
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...PURE],
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'far',
          include: ['test/far/*.test.ts'],
          globalSetup: ['test/setup/far-side.ts'],
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
