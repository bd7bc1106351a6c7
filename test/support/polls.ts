import { expect } from 'vitest'
import { adminSql } from './stack.ts'

/**
 * Runs the reconciler's looks one after the other: each puts the next one off by that many seconds, counted from a moment
 * within it.
 */
export async function expectWaits(
  table: 'payment_attempts' | 'refunds',
  id: string,
  look: () => Promise<unknown>,
  waitsSeconds: readonly number[],
): Promise<void> {
  for (const wait of waitsSeconds) {
    const begun = Date.now()
    await look()
    const ended = Date.now()
    const [row] = await adminSql('sandbox')<{ next_check_at: Date }>(
      `select next_check_at from ${table} where id = $1`,
      [id],
    )
    const lookedAt = row!.next_check_at.getTime() - wait * 1000
    expect([lookedAt >= begun, lookedAt <= ended], `${wait} s`).toEqual([true, true])
  }
}
