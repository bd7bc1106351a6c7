import type { Method } from '../../kernel/payment-methods.ts'

/** What it takes: known without loading what takes it. */
export const simulatorMethods: readonly Method[] = ['card', 'oxxo', 'spei', 'card_present']
