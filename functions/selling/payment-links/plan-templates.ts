import type * as z from 'zod'
import { paymentLinkTemplates } from '../../../drizzle/schema/payment-links.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { change, insert, type Plan } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-templates.ts'
import { presentTemplate } from './present.ts'
import type { TemplateRow } from './store.ts'

const about = ({ id }: TemplateRow) => ({ type: 'payment_link_template', id })

export function planCreateTemplate(
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
  const row: TemplateRow = {
    ...asked,
    id: newId(),
    status: 'active',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentTemplate(row)
  return {
    writes: [insert(paymentLinkTemplates, row)],
    events: [event(newId(), 'payment_link_template.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planUpdateTemplate = (
  template: TemplateRow,
  { name = template.name, settings = template.settings }: z.output<NonNullable<typeof contracts.update.body>>,
  clock: Clock,
) => planChange(template, { name, settings }, 'payment_link_template.updated', clock)

export const planDeleteTemplate = (template: TemplateRow, clock: Clock) => ({
  ...planChange(template, { status: 'deleted' }, 'payment_link_template.deleted', clock),
  reply: { id: template.id, object: 'payment_link_template' as const, deleted: true as const },
})

function planChange(
  template: TemplateRow,
  set: Partial<TemplateRow>,
  type: EventType,
  { now, newId }: Clock,
) {
  const changed = { ...template, ...set, version: template.version + 1, updatedAt: now }
  const reply = presentTemplate(changed)
  return {
    writes: [change(paymentLinkTemplates, template, { ...set, updatedAt: now })],
    events: [event(newId(), type, about(template), reply, presentTemplate(template))],
    reply,
  } satisfies Plan<unknown>
}

const amountFields = [
  'amount_source',
  'manual_amount',
  'buyer_amount',
  'catalog_line_item',
  'catalog_line_item_snapshot',
  'line_items',
]

/** What goes with lines alone. */
const lineFields = ['discounts', 'allows_discount_codes', 'shipping_options', 'tips']

/** Whose amount is none of one times a quantity. */
const uncounted = ['buyer_amount', 'line_items']

/** The body of a link that is made from a template: what says the amount comes from one of the two. */
export function underTemplate(settings: JsonObject, asked: JsonObject): JsonObject {
  const saysAmount = amountFields.some((name) => name in asked)
  const left = saysAmount ? [...amountFields, ...('line_items' in asked ? [] : lineFields)] : []
  if (uncounted.some((name) => name in asked)) left.push('adjustable_quantity')
  const kept = Object.entries(settings).filter(([name]) => !left.includes(name))
  return { ...Object.fromEntries(kept), ...asked }
}
