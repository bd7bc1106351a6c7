/** What other areas may know of the API key that calls them. */
export { transferLimitOf } from './present.ts'
export { type ApiKeyRow, keyByKid } from './store.ts'
