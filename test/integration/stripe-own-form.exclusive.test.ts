import { expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { answerOf, byCard, type Counter, type RegisterOrder } from '../support/registers.ts'
import { adminSql } from '../support/stack.ts'
import { directUrl, paymentOf, server, statusIs, until, withStripe } from '../support/stripe-live.ts'
import { newLiveDevice } from '../support/stripe-readers.ts'

/* In live a merchant's server pays an order with what Stripe's own form has made. */

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

async function liveOrder(more: object = {}): Promise<[Counter, RegisterOrder]> {
  const merchant = await newMerchant({ environment: 'live' })
  const { id: registerId } = await newLiveDevice(merchant, undefined, kinds.register.path)
  const { body, text } = await call<RegisterOrder>('POST', '/v1/physical-checkout/orders', {
    bearer: merchant.apiKey,
    environment: 'live',
    body: { register_id: registerId, amount: '120000', ...more },
  })
  if (!body.id) throw new Error(text)
  return [{ merchant, registerId }, body]
}

test('a PaymentMethod, a ConfirmationToken, a term, a decline and a challenge; a token of the sandbox is none', async () => {
  const [counter, order] = await liveOrder()
  for (const foreign of ['tok_sbx_approve', 'pm_of_nobody']) {
    const { status, body } = await byCard(counter, order, foreign)
    expect([status, body.error]).toMatchObject([422, { code: 'card_token_unknown', param: 'card_token' }])
  }
  const declined = await byCard(counter, order, 'pm_funds')
  expect(declined.body).toMatchObject({
    status: 'requires_payment_method',
    decline_code: 'insufficient_funds',
  })
  const paid = await byCard(counter, order, 'ctoken_approve')
  expect(paid.body).toMatchObject({ id: declined.body.id, status: 'succeeded', amount: '120000' })

  const [other, inTerms] = await liveOrder({ installment_options: [{ months: 6 }] })
  const term = await byCard(other, inTerms, 'pm_msi', { installment_months: 6 })
  expect(term.body).toMatchObject({ status: 'succeeded', installments: { months: 6 } })

  const [third, asked] = await liveOrder()
  const waits = await byCard(third, asked, 'pm_challenge')
  expect(waits.body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
  expect(answerOf(await byCard(third, asked, 'pm_approve'))).toBe('409 register_order_being_paid')
  const { attempt: challenged } = await paymentOf(third.merchant)
  server.move(server.intentFor(challenged)!.id, { status: 'succeeded' })
  const { pathname } = new URL(waits.body.next_action!.url)
  expect(pathname).toBe(`/${asked.public_id}/${waits.body.public_id}/bank`)
  // Where Stripe leads the buyer back to.
  await fetch(`${directUrl}${pathname.replace(/\/bank$/, '')}?redirect_status=succeeded`)
  await until(statusIs(third.merchant, 'succeeded'))
  for (const { merchant } of [counter, other, third])
    expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

test('a request that is planned again on fresh rows asks Stripe for its card once', async () => {
  const [counter, order] = await liveOrder()
  const sql = adminSql('live')
  // The first four publishes of the workspace find that what they read has moved.
  await sql('create sequence tries_of_the_test')
  await sql(
    `create function stale_for_the_test() returns trigger language plpgsql security definer as $$
     begin
       if nextval('public.tries_of_the_test') <= 4 then perform door.refuse('SP409', 'stale_version'); end if;
       return new;
     end $$`,
  )
  await sql(
    `create trigger stale_for_the_test before insert on payments for each row
     when (new.tenant_id = '${counter.merchant.tenantId}') execute function stale_for_the_test()`,
  )
  const paid = await byCard(counter, order, 'pm_approve')
  const [tries] = await sql('select last_value::int as tried from tries_of_the_test')
  await sql('drop trigger stale_for_the_test on payments')
  expect([paid.body.status, tries]).toEqual(['succeeded', { tried: 5 }])
  const asked = server.seen.filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/payment_methods/pm_approve'),
  )
  expect(asked).toHaveLength(1)
})
