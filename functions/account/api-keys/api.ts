/** What other areas may import about the calling API key. */
export { transferLimitOf } from './present.ts'
export { type ApiKeyRow, keyByKid } from './store.ts'
