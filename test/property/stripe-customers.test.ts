import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../functions/people/customers/api-pure.ts'
import { applyFields, noFields } from '../../functions/people/customers/apply-fields.ts'
import type { Incoming } from '../../functions/people/sync-sources/plan-records.ts'
import { sayingOf } from '../../functions/people/sync-sources/stripe/follow.ts'
import { recordsOf } from '../../functions/people/sync-sources/stripe/record.ts'
import type { CustomerEvent, StripeCustomer } from '../../src/processors/stripe/index.ts'
import { emptyCustomer } from '../support/stripe-customers.ts'

const changes = fc.record(
  {
    name: fc.option(fc.constantFrom('Ana', 'Berta', 'Carla')),
    email: fc.option(fc.constantFrom('ana@example.com', 'berta@example.com')),
    phone: fc.option(fc.constantFrom('+525512345678', '+525587654321')),
    metadata: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
)
/** Few seconds, so that many events meet in one. */
const happening = fc.record({ changes, second: fc.integer({ min: 0, max: 3 }) })

const applied = (all: readonly (readonly Incoming[])[]) =>
  all.flat().reduce((customer, one) => {
    if (!('record' in one)) throw new Error('a misfit')
    const { updated_at: at, customer: said } = one.record
    return applyFields(customer, fieldsOf(said), { source: 'stripe', at: new Date(at!) })
  }, noFields)

test('a pull and events, in any order and again, make the customer that Stripe has', () => {
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 10 }),
      fc.nat(),
      fc.nat(),
      fc.infiniteStream(fc.nat()),
      (happenings, start, read, turns) => {
        const inOrder = happenings.toSorted((one, other) => one.second - other.second)
        const states: StripeCustomer[] = [emptyCustomer]
        const events = inOrder.map(({ changes, second }, index): CustomerEvent => {
          const customer = { ...states.at(-1)!, ...changes } as StripeCustomer
          states.push(customer)
          const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second))
          return { id: `evt_${index}`, type: 'customer.updated', at, customer, changed: Object.keys(changes) }
        })
        const begun = start % (events.length + 1)
        const pulledAt = begun + (read % (events.length + 1 - begun))
        const last = events[begun - 1]?.at ?? new Date(Date.UTC(2025, 11, 1))
        const pull = recordsOf(states[pulledAt]!, last)
        const single = sayingOf(events.slice(begun), last, () => true).incoming.map((one) => [one])
        const said = [pull, ...single, pull, ...single]
        const shuffled = said
          .map((one) => [turns.next().value as number, one] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, one]) => one)
        const { name, email, phone, metadata } = applied(shuffled)
        const end = states.at(-1)!
        expect({ name, email, phone, metadata }).toEqual({
          name: end.name,
          email: end.email,
          phone: end.phone,
          metadata: end.metadata,
        })
      },
    ),
    { numRuns: 500 },
  )
})
