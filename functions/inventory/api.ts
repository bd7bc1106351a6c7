/** What queries of other areas may ask of the stock. */
export { lacksStock } from './store.ts'
