/** What other areas may import: the port of what is sold here, the frame and the words of the buyer's pages. */
export { reading } from './checkout-flow.ts'
export { digestOfAddress, digestOfNetwork } from './digests.ts'
export type {
  ClosedState,
  CompleteFree,
  HostedOrigin,
  HostedOrigins,
  Part,
  Prefill,
  Recovering,
  Sale,
  SoldHere,
  Wanted,
} from './hosted-origin.ts'
export {
  baseOf,
  type Ctx,
  formFields,
  framed,
  localeOf,
  ownPath,
  page,
  statePageOf,
} from './pages/frame/frame.ts'
export { alertBox, errorSummary, foreign, hiddenFields, icon, layout } from './pages/frame/layout.ts'
export { lookAs } from './pages/frame/look.ts'
export type { CardSummary, Html, Money, PageBase } from './pages/frame/view.ts'
export { drawPaper } from './pages/result/draw-paper.ts'
export { type Paper, type Row, taxRows } from './pages/result/receipt-rows.ts'
export { text } from './pages/text.ts'
export { type PaidByServer, payByServer } from './server-paying.ts'
export { discountLost, offSale } from './states.ts'
