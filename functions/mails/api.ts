/** What other areas may import of mails: the tokens of their links. */
export { type LinkKind, linkToken, mailOfToken } from './link-token.ts'
