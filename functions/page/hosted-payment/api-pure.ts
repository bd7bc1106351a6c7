/** What other areas may import without the pages. */
export { cardAsked, cardErrors, cardTables } from './contract-server.ts'
export { declineReasons } from './pages/result/text-declines.ts'
