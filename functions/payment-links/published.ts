/** What other areas may use of this one: the frame and the words of buyer pages. */
export { brandName, formatMoney } from './pages/format.ts'
export { pageHeaders } from './pages/headers.ts'
export { foreign, hiddenFields, icon, layout } from './pages/layout.ts'
export { type Locale, pickLocale, withLocale } from './pages/locale.ts'
export { statePage, stateStatus } from './pages/state.ts'
export { text } from './pages/text.ts'
export type { CardSummary, Html, Money, PageBase } from './pages/view.ts'
