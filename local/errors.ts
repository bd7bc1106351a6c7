/** A failure shown without a stack: its message is one line that says what to do. */
export class StackError extends Error {
  override name = 'StackError'
}

/** The text of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** For the end of a command: prints why it failed, in one line, and ends with code 1. */
export function failed(cause: unknown): void {
  console.error(reasonOf(cause))
  process.exitCode = 1
}
