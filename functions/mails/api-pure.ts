/** What plans of other areas may import of mails. */
export { mailTo, noticeToOwners } from './plan.ts'
