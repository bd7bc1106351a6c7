import { isPush } from '../../../../../src/kernel/payment-methods.ts'
import type { ResultView } from '../frame/view.ts'
import { text } from '../text.ts'

/** The reason for a refusal: by the card's bank, or by the issuer of vouchers and CLABEs. */
export function reasonOf(
  declined: Pick<Extract<ResultView, { state: 'declined' }>, 'method' | 'code'>,
  locale: ResultView['locale'],
): string {
  const words = text[locale].result
  return isPush(declined) ? words.refused[declined.method] : words.reasons[declined.code]
}
