/** What other areas' pages may import: calls of accounts, and the invitation that a page of an account leads back to. */
export { type AuthSurroundings, askAccounts } from './index.ts'
export { forgetInvitation, rememberInvitation } from './pages/invitation-cookie.ts'
