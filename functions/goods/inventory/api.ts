/** What queries of other areas may ask of the stock. */
export { leftFor } from './store.ts'
