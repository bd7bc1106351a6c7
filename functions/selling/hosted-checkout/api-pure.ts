/** What plans of other areas may import of checkouts: lines with their tax, and what they take and grant. No I/O. */
export { priced, promisedBy } from './lines.ts'
