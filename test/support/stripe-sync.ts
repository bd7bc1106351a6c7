import { setTimeout as delay } from 'node:timers/promises'
import { post } from '../../local/stripe-account.ts'
import { orderOfStripe, type StripeOrder } from '../../local/stripe-stand-in.ts'
import { letters } from './customers.ts'
import { dies, diesOnce, type Strike } from './drills.ts'
import { call, type Merchant } from './merchant.ts'
import { adminSql, control, stack } from './stack.ts'

/** Orders of the account that one key opens. */
type Order = StripeOrder extends infer O ? (O extends StripeOrder ? Omit<O, 'key'> : never) : never

const path = '/v1/customer-hub/sync-sources'

export const newKey = () => `rk_test_${letters()}${letters()}`

/** A call to the database, or the one to Stripe behind `stripe` others, in which the Worker is killed. */
export type StripeStrike = Strike | { readonly stripe: number }

/** A Stripe account of its own, at the stand-in. */
export function stripeAccount(key = newKey()) {
  const order = <Answer>(asked: Order) =>
    orderOfStripe<Answer>(stack.stripeUrl, { key, ...asked } as StripeOrder)
  return {
    key,
    order,
    save: (customers: object[], more: object = {}) =>
      order<string[]>({ order: 'save', customers, ...more } as Order),
  }
}

/** Begins `work` and kills the Worker in its call that matches the strike. Only for exclusive files. */
export async function diesReading(
  { order }: ReturnType<typeof stripeAccount>,
  strike: StripeStrike,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (!('stripe' in strike)) return dies(strike, work)
  const before = await order<number>({ order: 'struck' })
  await order({ order: 'fail', fault: { mode: 'time_out', times: 1, skip: strike.stripe } })
  const struck = async () => {
    for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; await delay(5))
      if ((await order<number>({ order: 'struck' })) > before) return
  }
  return diesOnce(struck, work, `at Stripe behind ${strike.stripe}`)
}

export const setConnection = (
  { apiKey: bearer }: Merchant,
  id: string,
  body: object,
  headers: Record<string, string> = {},
) =>
  call<{ notifications_url: string; error?: { code: string; param: string } }>(
    'POST',
    `${path}/${id}/stripe-connection`,
    { bearer, body, headers },
  )

export async function newStripeSource({ apiKey: bearer }: Merchant): Promise<string> {
  const { status, body, text } = await call<{ id: string }>('POST', path, {
    bearer,
    body: { kind: 'stripe', name: 'Stripe' },
  })
  if (status !== 201) throw new Error(`no source: ${status} ${text}`)
  return body.id
}

/** A source that reads this account, as soon as the scheduled work has run. */
export async function connectedSource(merchant: Merchant, key: string): Promise<string> {
  const id = await newStripeSource(merchant)
  const { status, text } = await setConnection(merchant, id, { api_key: key })
  if (status !== 200) throw new Error(`not connected: ${status} ${text}`)
  return id
}

/** Runs the scheduled work until a source has this status. */
export async function sourceIs(id: string, status: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    await control.trigger('sandbox', id)
    const [row] = await adminSql('sandbox')<{ status: string }>(
      'select status from sync_sources where id = $1',
      [id],
    )
    if (row?.status === status) return
  }
  throw new Error(`the source is not ${status}`)
}

/** Runs the scheduled work until no run of a source is open, as if each wait were over. */
export async function pulled(id: string): Promise<void> {
  const sql = adminSql('sandbox')
  for (let tries = 0; tries < 20; tries++) {
    await sql('update sync_runs set next_check_at = now() where source_id = $1 and next_check_at > now()', [
      id,
    ])
    await control.trigger('sandbox', id)
    const open = await sql('select 1 from sync_runs where source_id = $1 and finished_at is null', [id])
    if (open.length === 0) return
  }
  throw new Error('the run does not end')
}

/** Reads a source's events by the scheduled job, as if ten minutes had gone by. */
export async function followed(id: string): Promise<void> {
  const sql = adminSql('sandbox')
  await sql('delete from due_failures where id = $1', [id])
  await sql(
    'update stripe_connections set next_check_at = now() where id = $1 and next_check_at is not null',
    [id],
  )
  await control.trigger('sandbox', id)
}

/** Posts an event that this secret signs to a source, as Stripe does. */
export const postSigned = (id: string, secret: string): Promise<void> =>
  post(
    { url: `${stack.sandbox.directUrl}/v1/customer-hub/stripe-events/${id}`, secret },
    { id: 'evt_a', object: 'event', type: 'customer.updated' },
  )

/** What a merchant's customers are, by the id at Stripe. */
export const peopleOf = ({ tenantId }: Merchant) =>
  adminSql('sandbox')<{ ids: string[]; name: string | null; email: string | null; phone: string | null }>(
    `select c.name, c.email, c.phone, c.locale, c.addresses, c.metadata,
       (select array_agg(e.external_id) from customer_external_ids e
         where e.tenant_id = c.tenant_id and e.customer_id = c.id) as ids
     from customers c where c.tenant_id = $1 order by c.created_at, c.id`,
    [tenantId],
  )
