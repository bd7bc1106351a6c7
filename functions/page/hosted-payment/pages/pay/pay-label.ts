import { html } from 'hono/html'
import { formatMoney } from '../../../../../src/kernel/format.ts'
import type { Html, Money, PageBase } from '../frame/view.ts'
import { text } from '../text.ts'

interface Charged extends Money, Pick<PageBase, 'locale'> {
  /** The terms cost different totals: `amountMinor` is the one of the term that is chosen beforehand. */
  readonly varies: boolean
}

/**
 * A button's words with what is charged. The script shows the total of another term; without one the style leaves the
 * amount out as soon as another is chosen, since each term says its own.
 */
export function payLabel({ amountMinor, currency, locale, varies }: Charged): Html {
  const [before, after] = text[locale].pay.pay('\u0000').split('\u0000')
  const amount = formatMoney(amountMinor, currency, locale)
  return html`${before}<span data-charged${varies ? html` data-preselected` : ''}>${amount}</span>${after}`
}
