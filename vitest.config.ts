import { defineConfig } from 'vitest/config'
import { closingLine } from './test/setup/closing-line.ts'

/** Tests that need real programs, or all of the machine, run one after another once the others are done: their clocks are real. */
export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/chaos/**', 'test/far/*.test.ts', 'test/browser/**'],
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
