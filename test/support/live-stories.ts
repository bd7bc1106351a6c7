import { ask, insist, offer, rows, type Seller } from './live-drill.ts'
import type { Link } from './merchant.ts'
import { below, oneOf, type Random } from './random.ts'
import { directUrl, open, send, server } from './stripe-live.ts'

// What buyers, merchants, banks, tills and the Dashboard do. Nobody waits for us to have heard of it.

type Form = Readonly<Record<string, string>>
type Intended = NonNullable<ReturnType<typeof server.intentFor>>

/** What the buyer's page shows is filled in and sent until it has an answer; null where the method is not offered now. */
async function pays(link: Link, fields: Form, query = ''): Promise<string | null> {
  const opened = await insist(async () => {
    const page = await open(link, query)
    return page.form.quote ? page.form : null
  }, 15_000)
  if (!opened) return null
  const form = { ...opened, ...fields }
  return insist(async () => {
    const answer = await send(link, form)
    return answer.startsWith('5') ? null : answer
  }, 30_000)
}

/** The latest attempt for a link, and its PaymentIntent. */
async function paidFor(link: Link): Promise<{ payment: string; intended: Intended } | null> {
  const [row] = await rows<{ payment: string; attempt: string }>(
    `select p.id as payment, a.id as attempt from payments p
     join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id
     where p.origin_id = $1 order by a.number desc limit 1`,
    [link.id],
  )
  const intended = row && server.intentFor(row.attempt)
  return intended ? { payment: row.payment, intended } : null
}

const buyer = { name: 'Ana Prueba', email: 'ana@example.com' }
const amounts = [10_000, 48_050, 120_000, 333_333, 999_900]

export interface At {
  readonly seller: Seller
  readonly random: Random
}

type Story = (at: At) => Promise<void>

/** The bank or the till says yes, some days after the buyer began. */
const succeeds = ({ random }: At, { id, created }: Intended) =>
  server.move(id, { status: 'succeeded', created: created - below(random, 4) * 86_400 })

const bought: Story = async (at) => {
  const link = await offer(at.seller, { manual_amount: oneOf(at.random, amounts) })
  if (!link) return
  await pays(link, { card_token: 'pm_approve' })
  await afterwards(at, link)
}

const declined: Story = async (at) => {
  const link = await offer(at.seller, { manual_amount: oneOf(at.random, amounts) })
  if (!link) return
  const page = await pays(link, { card_token: oneOf(at.random, ['pm_funds', 'pm_stolen']) })
  const [, reference] = /(spcs_[a-z0-9]{32})/.exec(page ?? '') ?? []
  if (reference && below(at.random, 2) === 0)
    await pays(link, { card_token: 'pm_approve' }, `?retry=${reference}`)
  await afterwards(at, link)
}

const challenged: Story = async (at) => {
  const link = await offer(at.seller, { manual_amount: oneOf(at.random, amounts) })
  if (!link) return
  const page = await pays(link, { card_token: 'pm_challenge' })
  const paid = await paidFor(link)
  if (paid?.intended.status !== 'requires_action') return
  const what = below(at.random, 4)
  if (what < 2) succeeds(at, paid.intended)
  else if (what === 2)
    server.move(paid.intended.id, {
      status: 'requires_payment_method',
      error: { code: 'payment_intent_authentication_failure' },
    })
  if (page?.startsWith('/') && below(at.random, 2) === 0)
    await fetch(directUrl + page).then(
      (reply) => reply.text(),
      () => null,
    )
  await afterwards(at, link)
}

const reserved: Story = async (at) => {
  const amount = oneOf(at.random, amounts)
  const link = await offer(at.seller, {
    manual_amount: amount,
    capture_method: 'manual',
    payment_method_types: ['card'],
  })
  if (!link) return
  await pays(link, { card_token: 'pm_approve' })
  const paid = await paidFor(link)
  const what = below(at.random, 4)
  if (!paid || what === 0) return
  const path = `/v1/payments/${paid.payment}`
  if (what === 1) await ask(at.seller, `${path}/cancel`)
  else await ask(at.seller, `${path}/capture`, what === 2 ? {} : { amount: String(Math.trunc(amount / 2)) })
  await afterwards(at, link)
}

const inTerms: Story = async (at) => {
  const link = await offer(at.seller, {
    manual_amount: oneOf(at.random, [120_000, 333_333]),
    installment_options: [{ months: 3 }, { months: 6 }],
  })
  if (!link) return
  await pays(link, { card_token: 'pm_msi', months: oneOf(at.random, ['3', '6']) })
  await afterwards(at, link)
}

const atTill: Story = async (at) => {
  const link = await offer(at.seller, {
    manual_amount: oneOf(at.random, amounts),
    payment_method_types: ['oxxo'],
  })
  if (!link) return
  await pays(link, { ...buyer, method: 'oxxo' })
  const paid = await paidFor(link)
  if (paid?.intended.status !== 'requires_action') return
  const what = below(at.random, 6)
  if (what < 4) succeeds(at, paid.intended)
  else if (what === 4)
    server.move(paid.intended.id, {
      status: 'requires_payment_method',
      error: { code: 'payment_intent_payment_attempt_expired' },
    })
  if (what >= 4) await timeIsOver(paid.intended)
}

/** The time of a voucher or a CLABE is over, and the grace behind it. */
const timeIsOver = ({ metadata }: Intended) =>
  rows(
    `update payment_attempts set expires_at = now() - interval '1 hour', grace_ends_at = now() - interval '1 minute'
     where id = $1 and status = 'pending_customer'`,
    [metadata.attempt_id],
  )

let transfers = 0

const byTransfer: Story = async (at) => {
  const amount = oneOf(at.random, amounts)
  const link = await offer(at.seller, { manual_amount: amount, payment_method_types: ['spei'] })
  if (!link) return
  await pays(link, { ...buyer, method: 'spei' })
  const paid = await paidFor(link)
  const { customer, status } = paid?.intended ?? {}
  if (!paid || !customer || status !== 'requires_action') return
  const arrive = (part: number) => server.deposit(customer, `ccsbtxn_Drill${++transfers}x`, part)
  const part = Math.trunc(amount * (0.2 + 0.6 * at.random()))
  const what = below(at.random, 6)
  if (what === 0) return // nothing arrives
  if (what === 1) {
    arrive(part)
    return timeIsOver(paid.intended).then(() => {})
  }
  if (what === 2) {
    arrive(part)
    arrive(amount - part)
  } else arrive(what === 3 ? amount + part : amount)
  if (what === 3) leaves(at, customer, part)
  else await afterwards(at, link)
}

/** What is too much leaves the buyer's balance, in part or whole, or with more than is there. */
function leaves({ random }: At, customer: string, part: number): void {
  const some = below(random, 2) === 0 ? part : Math.trunc(part / 2)
  const what = below(random, 5)
  if (what === 0) return
  if (what < 3) server.cash(customer, what === 1 ? 'return_initiated' : 'transferred_to_balance', some)
  if (what === 1 && below(random, 2) === 0) server.cash(customer, 'return_canceled', some)
  if (what === 3) server.cash(customer, 'funding_reversed', some)
  if (what === 4) {
    server.cash(customer, 'funding_reversed', part + 5_000)
    if (below(random, 2) === 0) server.cash(customer, 'adjusted_for_overdraft', 5_000)
  }
}

/** A refund, a dispute, an inquiry or a warning of what was paid, or nothing. */
async function afterwards(at: At, link: Link): Promise<void> {
  const paid = await paidFor(link)
  if (paid?.intended.status !== 'succeeded') return
  const { intended, payment } = paid
  const captured = intended.received ?? intended.amount
  const isCard = intended.type === 'card'
  const what = below(at.random, isCard ? 10 : 5)
  const some = below(at.random, 2) === 0 ? captured : Math.trunc(captured / 3)
  if (what === 1 || what === 2) {
    if (!isCard) server.refundStatus = oneOf(at.random, ['succeeded', 'pending', 'requires_action'])
    await ask(at.seller, '/v1/refunds', {
      payment_id: payment,
      reason: 'requested_by_customer',
      ...(what === 1 ? {} : { amount: String(some) }),
    })
  } else if (what === 3 || what === 4) {
    const made = server.refundInDashboard(intended.id, some, what === 3 ? 'succeeded' : 'pending')
    if (what === 4 && below(at.random, 2) === 0) server.moveRefund(made.id, 'failed')
  } else if (what === 5 || what === 6) {
    await disputed(at, server.dispute(intended.id, 'needs_response').id)
  } else if (what === 7) {
    const { id } = server.dispute(intended.id, 'warning_needs_response')
    const then = below(at.random, 4)
    if (then === 0) server.moveDispute(id, 'prevented')
    else if (then === 1) server.moveDispute(id, 'warning_closed')
    else {
      server.moveDispute(id, 'needs_response', then === 2 ? captured : some)
      await disputed(at, id)
    }
  } else if (what >= 8) {
    server.warn(intended.id)
    if (what === 8) server.refundInDashboard(intended.id, captured)
  }
}

/** The bank decides: over our evidence, over none, or we accept. */
async function disputed({ seller, random }: At, dispute: string): Promise<void> {
  const what = below(random, 4)
  if (what === 0) return
  const [row] = await rows<{ id: string }>('select id from disputes where processor_ref like $1', [
    `${dispute}%`,
  ])
  const path = `/v1/payment-operations/disputes/${row?.id}`
  if (what === 1 && row) await ask(seller, `${path}/evidence`, { explanation: 'Entregado.' })
  if (what === 2 && row) await ask(seller, `${path}/accept`)
  const { status, amount } = server.disputes.get(dispute)!
  if (status === 'lost') return
  if (status === 'needs_response' && below(random, 4) === 0)
    server.moveDispute(dispute, status, Math.ceil(amount / 2))
  if (status === 'needs_response') server.moveDispute(dispute, 'under_review')
  server.moveDispute(dispute, what === 2 ? 'lost' : oneOf(random, ['won', 'lost']))
}

/** Refunds on their way arrive, fail, or end at no account. */
export function refundsEnd(random: Random): void {
  for (const { id, status, customer } of [...server.refunds.values()]) {
    if (status !== 'pending' && status !== 'requires_action') continue
    const ends = ['succeeded', 'succeeded', customer === null ? 'failed' : 'canceled']
    server.moveRefund(id, oneOf(random, ends))
  }
}

/** As often as each comes. */
export const stories: readonly Story[] = [
  bought,
  bought,
  bought,
  declined,
  challenged,
  challenged,
  reserved,
  reserved,
  inTerms,
  atTill,
  atTill,
  atTill,
  byTransfer,
  byTransfer,
  byTransfer,
  byTransfer,
]
