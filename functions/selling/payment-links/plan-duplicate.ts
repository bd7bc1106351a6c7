import type { FeeSchedule } from '../../money/payments/api-pure.ts'
import { linesAlone, stillOf } from '../../order/lines/api-pure.ts'
import { presentTerms } from '../../order/sales/api-pure.ts'
import { type Made, planCreate, type Selling } from './plan.ts'
import { presentLink } from './present.ts'
import type { LinkRow } from './store.ts'

/** A new link with the fields of another one; times that have passed, and discounts that no longer apply, are left out. */
export function planDuplicate(link: LinkRow, made: Made, schedule: FeeSchedule | null, selling: Selling) {
  const shown = presentLink(link, selling.linkBaseUrl)
  const ahead = (at: Date | null) => (at !== null && at > selling.now ? at.toISOString() : null)
  const { amountMinor: subtotalMinor } = linesAlone(link.lines ?? [])
  const sale = { subtotalMinor, currency: link.currency, customerId: link.customerId, now: selling.now }
  const { installment_options, payment_method_types, ...terms } = presentTerms(link)
  return planCreate(
    {
      ...terms,
      payment_method_types: [...payment_method_types],
      installment_options: [...installment_options],
      amount_source: shown.amount_source,
      manual_amount: shown.manual_amount ?? undefined,
      catalog_line_item_snapshot: made.item ? undefined : (shown.catalog_line_item_snapshot ?? undefined),
      discounts: stillOf(link.discounts, made.found, sale),
      allows_discount_codes: shown.allows_discount_codes,
      shipping_options: shown.shipping_options,
      tips: shown.tips,
      buyer_amount: shown.buyer_amount,
      adjustable_quantity: shown.adjustable_quantity,
      currency: shown.currency,
      usage: shown.usage,
      description: shown.description,
      success_url: shown.success_url,
      success_message: shown.success_message,
      payer_email_domains: shown.payer_email_domains,
      collects: shown.collects,
      uses_max: link.usesMax,
      starts_at: ahead(link.startsAt),
      expires_at: ahead(link.expiresAt),
      client_reference_id: shown.client_reference_id,
      customer_id: shown.customer_id,
      customer_email: shown.customer_email,
      customer_name: shown.customer_name,
      location_id: shown.location_id,
      metadata: link.metadata,
    },
    made,
    schedule,
    selling,
  )
}
