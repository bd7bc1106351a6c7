import type * as z from 'zod'
import { discounts } from '../../../drizzle/schema/discounts.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { parseMinorString } from '../../../src/kernel/money.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { DiscountRow } from '../../order/lines/api-pure.ts'
import type * as contracts from './contract-discounts.ts'
import { presentDiscount } from './present.ts'

type Create = z.output<NonNullable<typeof contracts.create.body>>
type Update = z.output<NonNullable<typeof contracts.update.body>>

const about = ({ id }: DiscountRow) => ({ type: 'discount', id })
const timeOf = (text: string | null) => (text === null ? null : new Date(text))
const minorOf = (text: string | null) => (text === null ? null : parseMinorString(text))

function problemOf({ amountOffMinor, percentOffBps, subtotalMinorMin, ...row }: DiscountRow) {
  if ((amountOffMinor === null) === (percentOffBps === null))
    return refuse('parameter_invalid', {
      param: 'amount_off',
      message: 'Give either amount_off or percent_off_bps.',
    })
  if ((row.currency === null) !== (amountOffMinor === null && subtotalMinorMin === null))
    return refuse('parameter_invalid', {
      param: 'currency',
      message: 'Give the currency of amount_off and amount_min; without them leave it null.',
    })
  return problemOfTime(row)
}

const problemOfTime = ({ startsAt, endsAt }: Pick<DiscountRow, 'startsAt' | 'endsAt'>) =>
  startsAt !== null && endsAt !== null && endsAt <= startsAt
    ? refuse('parameter_invalid', { param: 'ends_at', message: 'It ends after it starts.' })
    : null

export function planCreate(asked: Create, { now, newId }: Clock) {
  const row: DiscountRow = {
    id: newId(),
    code: asked.code,
    isActive: true,
    amountOffMinor: minorOf(asked.amount_off),
    percentOffBps: asked.percent_off_bps,
    currency: asked.currency,
    subtotalMinorMin: minorOf(asked.amount_min),
    usesMax: asked.uses_max,
    usesPerCustomerMax: asked.uses_per_customer_max,
    uses: 0,
    startsAt: timeOf(asked.starts_at),
    endsAt: timeOf(asked.ends_at),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const problem = problemOf(row)
  if (problem) return problem
  const reply = presentDiscount(row)
  return {
    writes: [insert(discounts, row)],
    events: [event(newId(), 'discount.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export function planUpdate(before: DiscountRow, asked: Update, { now, newId }: Clock) {
  const patch: Partial<DiscountRow> = {
    ...(asked.active === undefined ? {} : { isActive: asked.active }),
    ...(asked.uses_max === undefined ? {} : { usesMax: asked.uses_max }),
    ...(asked.uses_per_customer_max === undefined ? {} : { usesPerCustomerMax: asked.uses_per_customer_max }),
    ...(asked.starts_at === undefined ? {} : { startsAt: timeOf(asked.starts_at) }),
    ...(asked.ends_at === undefined ? {} : { endsAt: timeOf(asked.ends_at) }),
  }
  const changed = { ...before, ...patch, version: before.version + 1, updatedAt: now }
  const problem = problemOfTime(changed)
  if (problem) return problem
  const reply = presentDiscount(changed)
  return {
    writes: [change(discounts, before, { ...patch, updatedAt: now })],
    events: [event(newId(), 'discount.updated', about(changed), reply, presentDiscount(before))],
    reply,
  } satisfies Plan<unknown>
}
