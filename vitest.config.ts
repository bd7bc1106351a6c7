import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isWhole } from './test/support/share.ts'

const timed = ['test/**/*.timed.test.ts']
const exclusive = ['test/{faults,attack}/**/*.test.ts', 'test/**/*.exclusive.test.ts']
const origins = ['test/**/*.origins.test.ts']
/** The parts that use Redis: long replies, spent step-up proofs, and a failing Redis. With TESTS=all, all that meets them. */
const onRedis = [
  'test/faults/redis.test.ts',
  ...(isWhole
    ? ['test/integration/api-keys/**/*.test.ts', 'test/integration/races/{api-keys,payment-links}.test.ts']
    : ['test/integration/api-keys/proofs.test.ts']),
]
const onStack = {
  globalSetup: 'test/support/global-setup.ts',
  setupFiles: 'test/support/setup.ts',
  // For a machine that is several times slower than a usual one: only what fails takes so long.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
}

/** Vitest begins with the largest files where it knows no times; these are small and would run last, and alone. */
const longest = [
  'test/integration/money/money.test.ts',
  'test/integration/start.exclusive.test.ts',
  'test/faults/disputes.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    // A process that goes from one project to another starts again, so that a project's files stay together.
    const isMemory = ({ project }: TestSpecification) => (project.name === 'memory' ? 0 : 1)
    const isShort = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(name)) ? 0 : 1
    const sorted = await super.sort(files)
    return sorted.sort(
      (one, other) =>
        group(one) - group(other) || isMemory(one) - isMemory(other) || isShort(one) - isShort(other),
    )
  }
}

// unit: no stack, seconds · stack: a stack for each worker, which its files share · exclusive: files that count calls,
// inject faults or change the Workers, after the others, each with a stack to itself · timed: files that measure time, last
// and alone · origins: a stack whose Worker sells what exists only in the tests: a donation, a shared bill · memory: stacks
// with the Redis in process instead of redis-server.
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout: 30_000, // property tests, on a machine that does more than this
          include: ['test/{unit,property}/**/*.test.ts'],
          exclude: [...exclusive, ...timed],
          maxWorkers: 2, // without it Vitest leaves a processor of two alone
          // Pure functions: loading the same modules for every file would take longer than the tests.
          isolate: false,
          // Property tests make much that is short-lived: with more room for it, less time goes into collecting it.
          execArgv: ['--max-semi-space-size=128'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'stack',
          include: ['test/{integration,contract,browser}/**/*.test.ts'],
          exclude: [...exclusive, ...timed, ...origins],
          maxWorkers: 3, // they wait a fifth of the time, for webhooks and browsers
          isolate: false, // a stack's files share its customers too
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'memory',
          include: onRedis,
          maxWorkers: 3, // beside the stack project's
          isolate: false,
          testTimeout: 900_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'origins',
          include: origins,
          maxWorkers: 6, // beside the exclusive ones, which set it
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'exclusive',
          include: exclusive,
          exclude: timed,
          maxWorkers: 6, // they mostly wait: for time-outs, for Workers that start again
          isolate: false, // a process loads the modules once, not for each of its files
          testTimeout: 900_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onStack,
          name: 'timed',
          include: timed,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
