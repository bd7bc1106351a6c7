import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { trigger } from '../support/stack.ts'
import {
  liveLink,
  notify,
  open,
  paymentOf,
  payWith,
  send,
  server,
  sql,
  withStripe,
} from '../support/stripe-live.ts'

// Stripe stops repeating a notification after three days. Its events, which it keeps for thirty, tell what was missed.

withStripe({})

const readNow = async () => {
  await sql(`update processor_event_reads set next_read_at = now() where account = ''`)
  await trigger('live')
}

/** As after an outage: nothing that happens from here on is notified. */
const fromNowOn = async () => {
  await sql(`update processor_event_reads set event_id = null where account = ''`)
  await readNow()
}

const place = async () =>
  (await sql(`select event_id from processor_event_reads where account = ''`))[0]!.event_id as string | null

test('what no notification reported is read: a transfer, a refund in the Dashboard, a dispute, each once', async () => {
  await fromNowOn()
  const byTransfer = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(byTransfer.link)
  await send(byTransfer.link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { customer } = server.intentFor((await paymentOf(byTransfer.merchant)).attempt)!
  server.deposit(customer!, 'ccsbtxn_missed', 120_000)

  const refunded = await liveLink()
  await payWith(refunded.link, 'pm_approve')
  server.refundInDashboard(server.intentFor((await paymentOf(refunded.merchant)).attempt)!.id, 20_000)

  const disputed = await liveLink()
  await payWith(disputed.link, 'pm_approve')
  server.dispute(server.intentFor((await paymentOf(disputed.merchant)).attempt)!.id, 'needs_response')

  const counted = async () => ({
    paid: (await paymentOf(byTransfer.merchant)).status,
    refunds: await sql('select amount_minor::int as n, status from refunds where tenant_id = $1', [
      refunded.merchant.tenantId,
    ]),
    disputes: await sql('select status from disputes where tenant_id = $1', [disputed.merchant.tenantId]),
  })
  const all = {
    paid: 'succeeded',
    refunds: [{ n: 20_000, status: 'succeeded' }],
    disputes: [{ status: 'needs_response' }],
  }
  await readNow()
  expect(await counted()).toEqual(all)
  // Events of the last minutes are read again, and late notifications come as well.
  for (const { event } of server.events.all.slice(0, 12))
    await notify(event.type, event.data.object, { id: event.id })
  await readNow()
  expect(await counted()).toEqual(all)
  for (const { merchant } of [byTransfer, refunded, disputed])
    expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})

test('what was missed before an account was read first is read with it', async () => {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_approve')
  server.refundInDashboard(server.intentFor((await paymentOf(merchant)).attempt)!.id, 20_000)
  await fromNowOn()
  expect(
    await sql('select amount_minor::int as n from refunds where tenant_id = $1', [merchant.tenantId]),
  ).toEqual([{ n: 20_000 }])
})

test('a backlog is read page by page, the oldest first, and the place moves behind what is settled', async () => {
  const first = server.events.add(
    'refund.created',
    { id: 're_before', object: 'refund' },
    'acct_environment',
    true,
  )
  await fromNowOn()
  expect(await place()).toBe(first.id)
  const weekAgo = Math.floor(Date.now() / 1000) - 7 * 86_400
  const made = Array.from({ length: 230 }, (_, at) => {
    const about = { id: `re_backlog${at}`, object: 'refund', metadata: {} }
    const event = server.events.add('refund.updated', about, 'acct_environment', true)
    event.created = weekAgo + at
    return event.id
  })
  await readNow()
  await readNow()
  await readNow()
  const kept = await sql<{ n: number }>(
    'select count(*)::int as n from processor_notifications where event_id = any($1)',
    [made],
  )
  expect([kept[0]!.n, await place()]).toEqual([230, made.at(-1)])
})

test('a place that Stripe has forgotten: everything that it keeps is read', async () => {
  await sql(`update processor_event_reads set event_id = 'evt_forgotten' where account = ''`)
  const refunded = await liveLink()
  await payWith(refunded.link, 'pm_approve')
  server.refundInDashboard(server.intentFor((await paymentOf(refunded.merchant)).attempt)!.id, 20_000)
  await readNow()
  expect(await sql('select status from refunds where tenant_id = $1', [refunded.merchant.tenantId])).toEqual([
    { status: 'succeeded' },
  ])
})

test('a Stripe that does not answer: nothing is lost, the place stays', async () => {
  const first = server.events.add(
    'refund.created',
    { id: 're_before', object: 'refund' },
    'acct_environment',
    true,
  )
  await fromNowOn()
  server.failNext(/events/, '500')
  await readNow()
  expect(await place()).toBe(first.id)
})

test('an inquiry that nobody reported, and the dispute that it became: one row, one hold', async () => {
  await fromNowOn()
  const asked = await liveLink()
  await payWith(asked.link, 'pm_approve')
  const { id } = server.dispute(
    server.intentFor((await paymentOf(asked.merchant)).attempt)!.id,
    'warning_needs_response',
  )
  const told = () =>
    sql(
      `select d.status, d.held_minor::int as held, p.open_disputes_count as open,
         (select count(*)::int from ledger_journals j where j.tenant_id = d.tenant_id and j.source_id = d.id) as journals
       from disputes d join payments p on p.tenant_id = d.tenant_id and p.id = d.payment_id where d.tenant_id = $1`,
      [asked.merchant.tenantId],
    )
  await readNow()
  expect(await told()).toEqual([{ status: 'inquiry_needs_response', held: 0, open: 0, journals: 0 }])
  server.moveDispute(id, 'needs_response')
  await readNow()
  const opened = [{ status: 'needs_response', held: 120_000, open: 1, journals: 2 }]
  expect(await told()).toEqual(opened)
  for (const { event } of server.events.all.slice(0, 6))
    await notify(event.type, event.data.object, { id: event.id })
  await readNow()
  expect(await told()).toEqual(opened)
  expect(await brokenRules(asked.merchant.tenantId, 'live')).toEqual([])
})

test('a fraud warning that nobody reported, and what became of it: one row, no money', async () => {
  await fromNowOn()
  const reported = await liveLink()
  await payWith(reported.link, 'pm_approve')
  const intent = server.intentFor((await paymentOf(reported.merchant)).attempt)!.id
  server.warn(intent)
  const told = () =>
    sql(
      `select w.fraud_type, w.actionable, (select count(*)::int from ledger_journals j where j.tenant_id = w.tenant_id) as journals
       from fraud_warnings w where w.tenant_id = $1`,
      [reported.merchant.tenantId],
    )
  await readNow()
  expect(await told()).toEqual([{ fraud_type: 'made_with_stolen_card', actionable: true, journals: 1 }])
  server.dispute(intent, 'needs_response')
  await readNow()
  expect(await told()).toMatchObject([{ actionable: false }])
  const types = await sql(
    'select type from events where tenant_id = $1 and resource_type = $2 order by sequence',
    [reported.merchant.tenantId, 'fraud_warning'],
  )
  expect(types).toEqual([{ type: 'fraud_warning.created' }, { type: 'fraud_warning.updated' }])
  expect(await brokenRules(reported.merchant.tenantId, 'live')).toEqual([])
})
