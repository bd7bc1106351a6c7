/** Runs work that throws and catches many errors, for which collecting stacks would take longer than the work. */
export function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
