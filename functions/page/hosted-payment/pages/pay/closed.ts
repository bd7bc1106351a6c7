import { formatDateTime } from '../../../../../src/kernel/format.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import { namesOf } from '../../../../order/lines/api-pure.ts'
import type { Closed, OnSale } from '../../checkout-flow.ts'
import type { Sale, StateWords } from '../../hosted-origin.ts'
import { type Ctx, statePageOf as state } from '../frame/frame.ts'
import { text } from '../text.ts'
import { unadjustedOf } from './choices.ts'
import { keptOf } from './quantity.ts'
import type { ShortView } from './shortage.ts'

/** Words that also know when the sale opens. */
function withOpening({ title, detail }: StateWords, opensAt: Date | null | undefined, locale: Locale) {
  const at = opensAt ? `${formatDateTime(opensAt, locale)} (${text[locale].common.mexicoCity})` : undefined
  return { title, detail: (merchant: string) => detail(merchant, at) }
}

export function closed(c: Ctx, { origin, row, sale, merchantName }: OnSale, why: Closed, locale: Locale) {
  const refused = c.req.method === 'POST'
  if (why.state === 'not_set_up' || why.state === 'no_payments')
    return state(c, { state: why.state, merchantName, refused }, locale)
  if (why.state === 'own') {
    // One with a password says nothing of what it sells here either, but to who has chosen of it.
    const isLocked = Boolean(origin.passwordHashOf?.(row))
    const { words, status, icon, tone, isHidden, isAdjusted, namesSold } = why.own
    const look = [icon, tone] as const
    const named = isHidden ? null : merchantName
    return state(
      c,
      {
        state: 'own',
        look,
        words: withOpening(words[locale], sale.opensAt, locale),
        merchantName: named,
        refused,
        // After the payment the receipt leads on.
        adjustedAt: isAdjusted ? { publicId: sale.publicId, kept: keptIn(why) } : null,
        short: isLocked && !why.visit ? null : shortOf(c, sale, why),
        sold: namesSold && !isHidden && !isLocked ? (sale.description ?? namesOf(sale.order?.lines)) : null,
        cancelUrl: tone === 'good' ? null : sale.cancelUrl,
      },
      locale,
      status,
    )
  }
  const words = origin.words[locale].busy
  return state(c, { state: 'busy', words, merchantName, retryPath: `/${sale.publicId}`, refused }, locale)
}

type Own = Extract<Closed, { state: 'own' }>

/** What the buyer's visit brought and chose. */
const keptIn = ({ visit }: Own) => (visit ? { ...keptOf(visit, undefined), ...visit.choices } : {})

const shortOf = (c: Ctx, { publicId }: Sale, why: Own): ShortView | null =>
  why.shortage
    ? {
        ...why.shortage,
        ...(unadjustedOf(c) ? { offer: null, isRefused: true } : { isRefused: false }),
        publicId,
        kept: keptIn(why),
      }
    : null
