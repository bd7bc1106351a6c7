/** What other areas may import of mails: who may send them, confirmed addresses, and the tokens of their links. */
export { confirmedAddresses } from './confirmed-addresses.ts'
export { confirmedOwners } from './confirmed-owners.ts'
export { isPayerKey, type LinkKind, linkToken, mailOfToken, payerKey } from './link-token.ts'
export { activeOwners } from './store.ts'
