/** What the page of an invitation may import. */
export { accept } from './operations-invitations.ts'
