import { randomUUID } from 'node:crypto'
import { call } from '../../support/merchant.ts'
import { paidByCard } from '../../support/refunds.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples, World } from '../samples.ts'

const recorded = async ({ merchant }: World) => {
  const { status, body, text } = await call<{ id: string }>('POST', '/v1/payment-operations/invoices', {
    bearer: merchant.apiKey,
    body: {
      payment_id: await paidByCard(merchant, { amount: 120_000 }),
      // Not the one of the examples, which is individual.
      folio: randomUUID(),
      kind: 'global',
    },
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

export const samples: AreaSamples = {
  makers: { '/v1/payment-operations/invoices/': recorded },
  prepare: {
    'payment_invoices.record': async ({ merchant }, ready) => {
      ready.body = { ...ready.body, payment_id: await paidByCard(merchant, { amount: 120_000 }) }
    },
  },
  lists: { 'payment_invoices.list': withKey('/v1/payment-operations/invoices', recorded) },
}
