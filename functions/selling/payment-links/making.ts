import type * as z from 'zod'
import type { Call } from '../../../src/http/operation.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { hashPassword } from '../../../src/platform/passwords.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { itemsOf } from '../../order/lines/api.ts'
import { soldItemOf } from './catalog-item.ts'
import type { create } from './contract.ts'
import { linkOrigin } from './origin.ts'
import { type Making, planCreate } from './plan.ts'

type NewLink = z.output<NonNullable<typeof create.body>>
type ShownLink = z.output<typeof create.reply.schema>

type Reads = Call<unknown, unknown, unknown, unknown>['read']

interface Makes {
  readonly now: Date
  readonly newId: () => string
  readonly settings: { readonly linkBaseUrl: string }
}

export const makingOf = ({ now, newId, settings }: Makes): Making => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
})

/** A new link by this body. A trip, and those for an item of a catalog. */
export async function makeLink(
  call: Call<unknown, unknown, unknown, ShownLink>,
  body: NewLink,
  templateId: string | null,
): Promise<ShownLink> {
  requireConfigured(call.settings)
  const { settings, now } = call
  const schedule = currentSchedule(settings, now, body.currency)
  const item = await soldItem(call.read, body, now)
  if (item && 'refused' in item) return call.publish(item)
  const passwordHash = body.password === null ? null : await hashPassword(body.password)
  const made = { publicId: publicId(linkOrigin.publicIdPrefix), item, passwordHash, templateId }
  return publishUnderPolicy(call, body.location_id, (governing) =>
    planCreate(body, made, schedule, { ...makingOf(call), ...governing }),
  )
}

/** The item of a catalog that a new link names: a trip for it, and one more for the parts of a bundle. */
async function soldItem(
  read: Reads,
  { catalog_line_item: asked, currency, location_id: locationId, adjustable_quantity, ...more }: NewLink,
  now: Date,
) {
  if (!asked) return null
  if (more.amount_source !== 'catalog_line_item' || more.catalog_line_item_snapshot)
    return refuse('parameter_unknown', {
      param: 'catalog_line_item',
      message: 'It needs amount_source "catalog_line_item", and no catalog_line_item_snapshot beside it.',
    })
  const items = await itemsOf(read, [asked.item_id], now)
  return soldItemOf(asked, items, { currency, locationId, quantityMax: adjustable_quantity?.max ?? 1 })
}
