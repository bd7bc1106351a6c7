import { addDays, mexicoCityDate } from '../../src/kernel/bank-days.ts'
import { rows, type Seller } from './live-drill.ts'
import { chargeOf, entryOfCharge } from './stripe-charges.ts'
import { server } from './stripe-live.ts'

// What the accounts at Stripe hold and what our books say, computed apart, as lines that must be the same.

const lines = (found: readonly Record<string, unknown>[]) =>
  found.map((row) => Object.values(row).map(String).join(' ')).sort()

/** Adds up by the words in front of each amount: `words count sum`. */
function summed(amounts: readonly (readonly [words: string, amount: number])[]): string[] {
  const sums = new Map<string, { count: number; sum: number }>()
  for (const [words, amount] of amounts) {
    const { count, sum } = sums.get(words) ?? { count: 0, sum: 0 }
    sums.set(words, { count: count + 1, sum: sum + amount })
  }
  return [...sums].map(([words, { count, sum }]) => `${words} ${count} ${sum}`).sort()
}

const methodOf = {
  card: 'card',
  oxxo: 'oxxo',
  customer_balance: 'spei',
  card_present: 'card_present',
} as const
const ours = () => [...server.intents.values()].filter(({ metadata }) => metadata.attempt_id !== undefined)
const succeeded = () => ours().filter(({ status }) => status === 'succeeded')

/** The first day in Mexico City that begins when the money is there. */
const dayOf = (intended: ReturnType<typeof ours>[number]) =>
  addDays(mexicoCityDate(new Date(entryOfCharge(intended).available_on * 1000 - 1)), 1)

const accountOfAttempt = `left join processor_credentials c on c.tenant_id = a.tenant_id and c.id = a.account_id`
const accountName = `coalesce(c.account_ref, 'acct_environment')`

/** What was taken, by account, method and the day on which it is available. */
export const taken = async (tenants: readonly string[]) => ({
  theirs: summed(
    succeeded().map((each) => [
      `${server.ownerOf(each.id)} ${methodOf[each.type]} ${dayOf(each)}`,
      chargeOf(each).amount_captured,
    ]),
  ),
  ours: lines(
    await rows(
      `select account, method, day, count(*), sum(amount) from (
         select ${accountName} as account, a.method, p.available_on::text as day,
           p.amount_captured_minor as amount
         from payment_attempts a join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id ${accountOfAttempt}
         where a.tenant_id = any($1) and a.status = 'captured'
       ) each group by account, method, day`,
      [tenants],
    ),
  ),
})

/** Each charge that has its money, and each authorization, by our attempt. */
export const each = async (tenants: readonly string[]) => ({
  theirs: ours()
    .filter(({ status }) => status === 'succeeded' || status === 'requires_capture')
    .map((one) => `${one.metadata.attempt_id} ${one.id} ${one.status} ${one.received ?? one.amount}`)
    .sort(),
  ours: lines(
    await rows(
      `select a.id, a.processor_ref, case a.status when 'captured' then 'succeeded' else 'requires_capture' end,
         case a.status when 'captured' then p.amount_captured_minor else p.amount_authorized_minor end
       from payment_attempts a join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id
       where a.tenant_id = any($1) and a.status in ('captured', 'authorized')`,
      [tenants],
    ),
  ),
})

const refundStatus = ({ status, customer }: { status: string | null; customer?: unknown }) =>
  status === 'pending' || status === 'requires_action'
    ? 'processing'
    : (status === 'failed' || status === 'canceled') && customer
      ? 'kept'
      : status

/** Each refund but those that moved nothing: one that failed before we heard of it is not in our books. */
export const refunded = async (tenants: readonly string[]) => ({
  theirs: [...server.refunds.values()]
    .map((one) => `${server.ownerOf(one.id)} ${one.id} ${refundStatus(one)} ${one.amount}`)
    .filter((line) => !line.includes(' failed '))
    .sort(),
  ours: lines(
    await rows(
      `select ${accountName}, split_part(r.processor_ref, '@', 1), r.status, r.amount_minor from refunds r
       join payment_attempts a on a.tenant_id = r.tenant_id and a.payment_id = r.payment_id and a.status = 'captured'
       ${accountOfAttempt} where r.tenant_id = any($1) and r.status <> 'failed'`,
      [tenants],
    ),
  ),
})

/** Each dispute, with what the account's balance has less for it. */
export const disputed = async (tenants: readonly string[]) => ({
  theirs: [...server.disputes.values()]
    .filter(({ status }) => status !== 'prevented')
    .map((one) => {
      const net = one.balance_transactions.reduce((sum, { net: part }) => sum + part, 0)
      return `${server.ownerOf(one.id)} ${one.id} ${one.status.replace('warning', 'inquiry')} ${net}`
    })
    .sort(),
  ours: lines(
    await rows(
      `select ${accountName}, split_part(d.processor_ref, '@', 1), d.status,
         -(case d.status when 'won' then 0 else d.held_minor end) - d.fee_minor - d.fee_iva_minor
       from disputes d join payment_attempts a on a.tenant_id = d.tenant_id and a.id = d.attempt_id ${accountOfAttempt}
       where d.tenant_id = any($1)`,
      [tenants],
    ),
    // One that was prevented before it was reported to us is not recorded; one that we knew is a closed inquiry.
  ).filter((line) => !(line.endsWith(' inquiry_closed 0') && isPrevented(line.split(' ')[1]!))),
})

const isPrevented = (dispute: string) => server.disputes.get(dispute)?.status === 'prevented'

/** Each fraud warning. */
export const warned = async (tenants: readonly string[]) => ({
  theirs: [...server.warnings.values()].map((one) => `${one.id} ${one.actionable}`).sort(),
  ours: lines(
    await rows(
      `select split_part(processor_ref, '@', 1), actionable from fraud_warnings where tenant_id = any($1)`,
      [tenants],
    ),
  ),
})

/** What Stripe has applied to payments that wait for the rest. */
const appliedTo = (customer: string): number =>
  [...server.intents.values()]
    .filter((each) => each.customer === customer && each.status === 'requires_action')
    .reduce((sum, { received = 0 }) => sum + received, 0)

/** What of each buyer has paid nothing yet, by our attempt; nothing where nothing is there. */
export const held = async (tenants: readonly string[]) => ({
  theirs: [...server.customers.values()]
    .map(({ id, metadata }) => [metadata.attempt_id, server.balanceOf(id) + appliedTo(id)] as const)
    .filter(([, balance]) => balance !== 0)
    .map((pair) => pair.join(' '))
    .sort(),
  ours: lines(
    await rows(
      `select attempt, sum(amount) from (
         select a.id as attempt, u.remaining_minor as amount from unapplied_funds u
           join payment_attempts a on a.tenant_id = u.tenant_id and a.payment_id = u.payment_id
           where u.tenant_id = any($1) and u.method = 'spei'
         union all select a.id, p.amount_received_minor from payments p
           join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id
           where p.tenant_id = any($1) and p.method = 'spei' and p.status in ('requires_action', 'processing')
         union all select attempt_id, sign(change_minor) * below_zero_minor from buyer_balance_movements
           where tenant_id = any($1)
       ) each group by attempt having sum(amount) <> 0`,
      [tenants],
    ),
  ),
})

/**
 * By account, what the postings say that its processor keeps: taken, and in buyers' balances, less what was refunded and
 * lost for good.
 */
export async function kept(sellers: readonly Seller[]) {
  const accounts = [...new Set(sellers.map(({ account }) => account))].sort()
  const of = (account: string, amounts: readonly (readonly [id: string, amount: number])[]) =>
    amounts.reduce((sum, [id, amount]) => sum + (server.ownerOf(id) === account ? amount : 0), 0)
  const isOver = (status: string | null) =>
    status === 'succeeded' || status === 'canceled' || status === 'failed'
  const theirs = accounts.map((account) => {
    const charges = of(
      account,
      succeeded().map((one) => [one.id, chargeOf(one).amount_captured]),
    )
    const back = of(
      account,
      [...server.refunds.values()]
        .filter(({ status, customer }) => isOver(status) && (status === 'succeeded' || customer))
        .map(({ id, amount }) => [id, amount]),
    )
    const lost = of(
      account,
      [...server.disputes.values()]
        .filter(({ status }) => status === 'lost')
        .map(({ id, amount }) => [id, amount]),
    )
    // What Stripe moved between a buyer's balance and the account's is in the account all the same.
    const moved = ['transferred_to_balance', 'adjusted_for_overdraft']
    const cash = of(
      account,
      [...server.deposits.values()].map(({ customer, type, net_amount }) => [
        customer as string,
        moved.includes(type) ? 0 : net_amount,
      ]),
    )
    const applied = of(
      account,
      [...server.customers.keys()].map((id) => [id, appliedTo(id)]),
    )
    return `${account} ${charges - back - lost + cash + applied}`
  })
  const found = await rows<{ tenant_id: string; balance: string }>(
    `select tenant_id, -sum(amount_minor) as balance from ledger_postings
     where tenant_id = any($1) and account_code = 'processor_clearing' group by tenant_id`,
    [sellers.map(({ merchant }) => merchant.tenantId)],
  )
  const balanceOf = (tenant: string) => Number(found.find((row) => row.tenant_id === tenant)?.balance ?? 0)
  return {
    theirs,
    ours: accounts.map((account) => {
      const own = sellers.filter((one) => one.account === account)
      return `${account} ${own.reduce((sum, { merchant }) => sum + balanceOf(merchant.tenantId), 0)}`
    }),
  }
}

/** What is left of nothing: attempts and refunds of which nobody knows the end, and payments charged twice. */
export const wrong = (tenants: readonly string[]) =>
  rows(
    `select 'unknown' as what, id::text from payment_attempts where tenant_id = any($1)
       and (status in ('submitting', 'unknown', 'amount_mismatch') or intent is not null)
     union all select 'refund ' || status, id::text from refunds where tenant_id = any($1)
       and status in ('pending', 'processing', 'amount_mismatch', 'requires_destination', 'pending_approval')
     union all select 'notification', format('%s %s %s, %s tries', event_id, kind, reference, tries_count)
       from processor_notifications where processed_at is null
     union all select 'charged twice', payment_id::text from payment_attempts where tenant_id = any($1)
       and status = 'captured' group by tenant_id, payment_id having count(*) > 1`,
    [tenants],
  )

/** All that moved a buyer's balance, as both sides have it: for a line that differs. */
export const balanceStory = async (attempt: string) => ({
  theirs: [...server.deposits.values()]
    .filter(({ customer }) => server.customers.get(customer as string)?.metadata.attempt_id === attempt)
    .map(({ id, type, net_amount, ending_balance }) => [id, type, net_amount, ending_balance]),
  ours: await rows(
    `select to_jsonb(a) - 'method_details' as attempt, p.status, p.amount_minor, p.amount_received_minor,
       (select jsonb_agg(d) from spei_deposits d where d.payment_id = p.id) as deposits,
       (select jsonb_agg(m) from buyer_balance_movements m where m.attempt_id = a.id) as movements,
       (select jsonb_agg(u) from unapplied_funds u where u.payment_id = p.id) as funds
     from payment_attempts a join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id where a.id = $1`,
    [attempt],
  ),
})
