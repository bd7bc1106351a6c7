import { afterAll, inject, vi } from 'vitest'
import { holdToBooks } from './kept-books.ts'
import { holdToPublished } from './published.ts'
import { control, stack } from './stack.ts'

// Runs before each file of tests. In the stack project what it imports is loaded once for all files of a process.

holdToPublished(stack)
afterAll(() => vi.restoreAllMocks())

// Files that break the stack look at the books where they say so.
if (!inject('isAlone')) holdToBooks(stack)

// If an earlier file broke something and timed out before repairing it, this one must not fail too.
if (inject('isAlone')) {
  await control.clearFaults()
  await control.setLatency('neon', 0)
  await control.setLatency('redis', 0)
}
