/** A failure shown without a stack: its message is one line that says what to do. */
export class StackError extends Error {
  override name = 'StackError'
}

/** The text of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
