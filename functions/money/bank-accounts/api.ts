/** What other areas may import of bank accounts. */
export { bankAccountById } from './store.ts'
export { handleBankAccountNotification } from './verification.ts'
