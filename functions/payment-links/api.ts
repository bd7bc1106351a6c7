/** The link as the buyer's pages sell it. */
export { submit, view } from './contract.ts'
export { linkOrigin } from './origin.ts'
export { type LinkOnSale, linkOnSale } from './store.ts'
