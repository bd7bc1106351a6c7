/** What other areas may import: the port of what is sold here, the frame and the words of the buyer's pages. */
export type { ClosedState, HostedOrigin, HostedOrigins, Sale, SaleLine } from './hosted-origin.ts'
export { baseOf, type Ctx, formFields, framed, localeOf, ownPath, statePageOf } from './pages/frame.ts'
export { foreign, hiddenFields, icon, layout } from './pages/layout.ts'
export { text } from './pages/text.ts'
export type { CardSummary, Html, Money, PageBase } from './pages/view.ts'
