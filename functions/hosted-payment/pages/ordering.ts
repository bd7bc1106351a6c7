import { Problem } from '../../../src/http/problems.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import { withLocale } from '../../../src/kernel/locale.ts'
import { type Adjustment, adjustmentProblems } from '../adjustable.ts'
import { originAt } from '../checkout-flow.ts'
import type { HostedOrigins } from '../hosted-origin.ts'
import { type Ctx, formFields, localeOf } from './frame.ts'
import type { Unadjusted } from './order.ts'

const isField = (name: string) => /^(code|tip|tip_own|shipping|quantity\.\d{1,2})$/.test(name)

/** The fields of an order's form, as typed. */
async function typedFields(c: Ctx): Promise<Record<string, string>> {
  const text = await formFields(c)
  const names = Object.keys(await c.req.parseBody()).filter(isField)
  return Object.fromEntries(names.map((name) => [name, text(name).trim().slice(0, 100)]))
}

/** What a form asks to change; a field that it does not have stays. */
function adjustmentOf({
  code,
  tip,
  tip_own: own = '',
  shipping,
  ...typed
}: Record<string, string>): Adjustment {
  const quantities = Object.entries(typed).map(([name, text]) => [name.slice('quantity.'.length), text])
  const wanted = tip === 'own' ? { own } : /^\d{1,5}$/.test(tip ?? '') ? { bps: Number(tip) } : null
  return {
    ...(code === undefined ? {} : { code }),
    ...(tip === undefined ? {} : { tip: wanted }),
    ...(/^\d$/.test(shipping ?? '') ? { shipping: Number(shipping) } : {}),
    ...(quantities.length === 0 ? {} : { quantities: Object.fromEntries(quantities) }),
  }
}

/** The buyer changes the order, and sees its page again: as it is now, or with what is wrong. */
export async function adjustOrder(c: Ctx, origins: HostedOrigins) {
  const typed = await typedFields(c)
  const locale = localeOf(c, (await formFields(c))('locale'))
  const publicId = c.req.param('publicId')!
  const adjust = originAt(origins, publicId)?.adjust
  if (!adjust) throw new Problem('route_not_found')
  const request = { requestId: c.get('requestId'), now: new Date() }
  const unchanged = await adjust(c.get('services'), publicId, adjustmentOf(typed), request)
  const query = new URLSearchParams(c.req.query())
  query.delete('lang')
  if (unchanged) {
    query.set('order', unchanged.problem)
    if (unchanged.at !== undefined) query.set('at', String(unchanged.at))
    if (unchanged.left !== undefined) query.set('left', String(unchanged.left))
    for (const [name, text] of Object.entries(typed)) if (!containsCardNumber(text)) query.set(name, text)
  }
  const search = query.size > 0 ? `?${query}` : ''
  return c.redirect(withLocale(`/${publicId}${search}`, locale), 303)
}

/** What the address says of a change that was not made. */
export function unadjustedOf(c: Ctx): Unadjusted | null {
  const { order, at, left, ...rest } = c.req.query()
  const problem = adjustmentProblems.find((each) => each === order)
  if (!problem) return null
  const typed = Object.fromEntries(
    Object.entries(rest).flatMap(([name, text]) => (isField(name) ? [[name, text.slice(0, 100)]] : [])),
  )
  return {
    problem,
    typed,
    ...(/^\d{1,2}$/.test(at ?? '') ? { at: Number(at) } : {}),
    ...(/^\d{1,5}$/.test(left ?? '') ? { left: Number(left) } : {}),
  }
}
