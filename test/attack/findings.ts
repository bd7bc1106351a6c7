import type { Reporter, TestCase } from 'vitest/node'

/** Prints a finding when it is made: the other attacks go on for the rest of their time. */
export default class Findings implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { errors = [], state } = test.result()
    if (state !== 'failed') return
    for (const { message, diff = '', stack = '' } of errors)
      console.log(`FINDING ${test.fullName}: ${[message, diff, stack].join('\n')}`)
  }
}
