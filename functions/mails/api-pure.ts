/** What plans of other areas may import of mails. */
export { noticeToOwners } from './plan.ts'
