/** What other areas may import without the pages: the languages that we speak, and the choice of one. */
export { type Locale, pickLocale } from './pages/locale.ts'
