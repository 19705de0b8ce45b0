import { defineConfig } from 'vitest/config'
import { closingLine } from './test/setup/closing-line.ts'

/** Tests that need real programs, or all of the machine, run one after another once the others are done: their clocks are real. */
const ELSEWHERE = ['test/chaos/**', 'test/far/*.test.ts', 'test/browser/**']

/** Tests of plain values: they share no process with what opens sockets and files. */
const PURE = ['commands', 'config', 'dispatch', 'domain', 'engines', 'judge', 'parse'].map(
  (of) => `test/${of}/**/*.test.ts`,
)

/** What is timed, each in a process of its own when the others are done: their garbage and shapes would slow it down. */
const TIMED = ['domain/gate/reply', 'engines/metrics', 'judge/ends', 'surfaces/slack/render-time'].map(
  (of) => `test/${of}.test.ts`,
)

/** Thousands of generated texts each: half of what the rest of them takes together, and seldom the first to fail. */
const VOLUME = [
  ...['app/mutations', 'domain/redact-ends', 'domain/redact-ordinary', 'domain/redact-planted', 'engines/mutated'],
  ...['stock', 'surfaces/slack/hostile', 'surfaces/slack/hostile-secrets', 'surfaces/slack/random-reports'],
].map((of) => `test/${of}.test.ts`)

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    // many tests wait for what a real clock brings, so two cores have work for more than two
    maxWorkers: 4,
    // tests leave nothing behind in a process, so one process and its modules serve many files
    isolate: false,
    testTimeout: 10_000,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: [...TIMED, ...VOLUME], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...PURE, ...TIMED, ...VOLUME],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'volume',
          include: VOLUME,
          // they wait for nothing but the processor
          maxWorkers: 2,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: TIMED, isolate: true, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/*.test.ts'],
          isolate: true,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'far',
          include: ['test/far/*.test.ts'],
          globalSetup: ['test/setup/far-side.ts'],
          isolate: true,
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          isolate: true,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
