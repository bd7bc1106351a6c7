import { randomUUID } from 'node:crypto'
import type { Merchant } from './merchant.ts'
import { liveLink, notify, open, paymentOf, send, server, sql } from './stripe-live.ts'

// A buyer's transfers at Stripe: they lie in the buyer's balance until Stripe applies them.

/** A payment whose transfers Stripe does not apply until `settle`. */
export async function waiting() {
  const { merchant, link } = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(link)
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { id, attempt } = await paymentOf(merchant)
  const { customer } = server.intentFor(attempt)!
  server.customers.set(customer!, { ...server.customers.get(customer!)!, mode: 'manual' })
  const arrive = (amount: number) => server.deposit(customer!, `ccsbtxn_${randomUUID().slice(0, 8)}`, amount)
  const settle = () => server.applyCash(server.intentFor(attempt)!.id)
  return { merchant, link, id, attempt, customer: customer!, arrive, settle }
}

export const about = (deposit: object) => notify('customer_cash_balance_transaction.created', deposit)

export const received = async ({ tenantId }: Merchant) =>
  (await sql('select amount_received_minor::int as n from payments where tenant_id = $1', [tenantId]))[0]!.n

export const fundsOf = ({ tenantId }: Merchant) =>
  sql<{ id: string; reason: string; amount: number; remaining: number }>(
    `select id, reason, amount_minor::int as amount, remaining_minor::int as remaining from unapplied_funds
     where tenant_id = $1 order by created_at, id`,
    [tenantId],
  )
