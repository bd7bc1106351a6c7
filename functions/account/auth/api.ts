/** What pages of accounts may import: the calls of /v1/auth, and the links that mails carry. */
export type { AccessOf } from './access.ts'
export { askAccounts } from './index.ts'
export { isLinkOpen } from './mail-links.ts'
export type { AuthRouteId } from './routes.ts'
