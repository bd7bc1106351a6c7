/** A failure whose message is the whole story: one line that says what to do. Shown without a stack. */
export class StackError extends Error {
  override name = 'StackError'
}

/** The text of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
