import type { Order } from '../../../src/kernel/order.ts'

/** What is paid for, in one line of at most 120 letters. */
export function namesOf(order?: Order | null): string | null {
  const names = (order?.lines ?? []).map(({ name }) => name).join(', ')
  return names.length > 120 ? `${names.slice(0, 119)}…` : names || null
}
