/** What plans of other areas may import of mails. */
export { mailTo, mailToBuyer, noticeToOwners } from './plan-new.ts'
export type { PaidRow, TaxRow } from './receipt.ts'
