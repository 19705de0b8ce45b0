import { defineConfig } from 'vitest/config'
import { closingLine } from './test/setup/closing-line.ts'

/** Tests that need real programs run one after another once the others are done: their clocks are real. */
export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/far/*.test.ts', 'test/browser/**'],
          testTimeout: 10_000,
          sequence: { groupOrder: 0 },
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
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
