import { isPush } from '../../../../src/kernel/payment-methods.ts'
import { text } from './text.ts'
import type { ResultView } from './view.ts'

/** The reason for a refusal: by the card's bank, or by the issuer of vouchers and CLABEs. */
export function reasonOf(
  declined: Pick<Extract<ResultView, { state: 'declined' }>, 'method' | 'code'>,
  locale: ResultView['locale'],
): string {
  const words = text[locale].result
  return isPush(declined) ? words.refused[declined.method] : words.reasons[declined.code]
}
