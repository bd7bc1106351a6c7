/** What other areas may import without the pages. */
export { declineReasons } from './pages/result/text-declines.ts'
