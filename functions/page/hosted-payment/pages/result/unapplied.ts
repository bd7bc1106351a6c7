import { html, raw } from 'hono/html'
import { formatMoney } from '../../../../../src/kernel/format.ts'
import { sentence } from '../frame/layout.ts'
import type { Html, Money, PageBase, VoucherView } from '../frame/view.ts'
import { text } from '../text.ts'

type View = PageBase & Money & Pick<VoucherView, 'merchantName' | 'unapplied'>

/**
 * Money that arrived for a payment and is not part of it, and what becomes of it. `paid`: the payment is complete
 * without it.
 */
export function unappliedNotice(view: View, paid: boolean): Html {
  if (!view.unapplied) return raw('')
  const { receivedMinor, heldMinor } = view.unapplied
  const words = text[view.locale].unapplied
  const money = (amountMinor: bigint) => formatMoney(amountMinor, view.currency, view.locale)
  const spentMinor = receivedMinor - heldMinor
  const kept = heldMinor > 0n ? sentence((name) => words.held(money(heldMinor), name), view.merchantName) : ''
  const spent =
    spentMinor > 0n ? sentence((name) => words.spent(money(spentMinor), name), view.merchantName) : ''
  return html`<p class="notice"><strong>${words[paid ? 'over' : 'apart'](money(receivedMinor))}</strong> ${kept} ${spent}</p>
`
}

/** The same as a row of the facts. */
export function unappliedRow(view: View, paid: boolean): [string, Html][] {
  if (!view.unapplied) return []
  const amount = formatMoney(view.unapplied.receivedMinor, view.currency, view.locale)
  return [[text[view.locale].unapplied[paid ? 'overRow' : 'apartRow'], html`<strong>${amount}</strong>`]]
}
