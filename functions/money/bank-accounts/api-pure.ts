/** What plans of other areas may import of bank accounts. */
export type { BankAccountRow } from './store.ts'
