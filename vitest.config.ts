import { defineConfig } from 'vitest/config'

const exclusive = ['test/faults/**/*.test.ts', 'test/**/*.exclusive.test.ts']
const onStack = { globalSetup: 'test/support/global-setup.ts', testTimeout: 30_000, hookTimeout: 60_000 }

// unit: no stack, seconds · stack: in parallel on one shared stack · exclusive: files that count calls, inject faults or
// change the Workers, after the others and one at a time.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{unit,property}/**/*.test.ts'],
          exclude: exclusive,
          // Pure functions: loading the same modules for every file would take longer than the tests.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'stack',
          include: ['test/{integration,contract,browser}/**/*.test.ts'],
          exclude: exclusive,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'exclusive',
          include: exclusive,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
