import type { Method } from '../../kernel/payment-methods.ts'

/** What it takes: known without loading what takes it. */
export const stripeMethods: readonly Method[] = ['card', 'card_present', 'oxxo', 'spei']
