import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { dispute } from '../../support/disputes.ts'
import { hourMs, hoursPass, type Insight, manyRefunds, watched } from '../../support/insights.ts'
import { call, newLink, newMerchant, openLink, pay, type Reply } from '../../support/merchant.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { decide, type Guarded, inForce, newGuarded, readyTo, seen } from '../../support/risk.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const insightsOf = async (guarded: Guarded, query = ''): Promise<Insight[]> =>
  (await seen<{ data: Insight[] }>(guarded, `insights${query}`)).body.data
const answer = (guarded: Guarded, id: string, how: string): Promise<Reply<Insight>> =>
  decide<Insight>(guarded, `insights/${id}/${how}`)
const eventsOf = async ({ merchant }: Guarded) =>
  (
    await sql<{ type: string }>(
      `select type from events where tenant_id = $1 and type like 'insight.%' order by commit_order, position`,
      [merchant.tenantId],
    )
  ).map(({ type }) => type.slice('insight.'.length))
const errorOf = ({ status, body }: Reply<Insight>) => [status, body.error?.code]

/** A workspace in which refunds have become unusual. */
async function newUnusual(): Promise<{ guarded: Guarded; insight: Insight }> {
  const guarded = await newGuarded()
  await watched(guarded, manyRefunds)
  const [insight] = await insightsOf(guarded)
  return { guarded, insight: insight! }
}

test('an hour is counted from what was made in it: accepted, declined, blocked, refunded, disputed', async () => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  const accepted = await paidByCard(merchant)
  const disputed = await paidByCard(merchant)
  await refund(merchant, { payment_id: accepted, amount: '5000' })
  await dispute(merchant, disputed)
  const { public_id } = await newLink(merchant, { usage: 'multi_use', manual_amount: 10_000 })
  await pay(public_id, await openLink(public_id), 'tok_sbx_decline_funds')
  await inForce(guarded, { type: 'card_brand', is: 'visa' })
  await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  const tables = ['payments', 'refunds', 'disputes']
  await watched(guarded, [], async (begins) => {
    for (const table of tables)
      await sql(
        `update ${table} set created_at = $2::timestamptz + interval '20 minutes' where tenant_id = $1`,
        [merchant.tenantId, begins],
      )
  })
  const hours = await sql(
    `select payments_count, decided_count, declined_count, refunds_count, disputes_count, payouts_failed_count,
       deliveries_count, deliveries_failed_count from insight_hours where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(hours).toEqual([
    {
      payments_count: 3,
      decided_count: 3,
      declined_count: 1,
      refunds_count: 1,
      disputes_count: 1,
      payouts_failed_count: 0,
      deliveries_count: 0,
      deliveries_failed_count: 0,
    },
  ])
  expect(await insightsOf(guarded)).toEqual([])
})

test.each([
  ['declined', { payments_count: 1, decided_count: 1, declined_count: 1 }],
  ['blocked', { payments_count: 1, decided_count: 0, declined_count: 0 }],
])('a card that was %s stays that where its buyer then took a voucher', async (outcome, counts) => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  if (outcome === 'blocked') await inForce(guarded, { type: 'card_brand', is: 'visa' })
  const { public_id } = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const token = outcome === 'blocked' ? 'tok_sbx_approve' : 'tok_sbx_decline_funds'
  const { location } = await pay(public_id, await openLink(public_id), token)
  const retry = `?retry=${/spcs_[a-z0-9]{32}/.exec(location!)![0]}`
  await payInCash(public_id, await openLink(public_id, retry), 'oxxo')
  await watched(guarded, [], (begins) =>
    sql(`update payments set created_at = $2::timestamptz + interval '20 minutes' where tenant_id = $1`, [
      merchant.tenantId,
      begins,
    ]),
  )
  expect(
    await sql(
      'select payments_count, decided_count, declined_count from insight_hours where tenant_id = $1',
      [merchant.tenantId],
    ),
  ).toEqual([counts])
})

test('cards that are declined unlike in the weeks before open an insight that says why', async () => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  const { public_id } = await newLink(merchant, { usage: 'multi_use', manual_amount: 10_000 })
  for (let n = 0; n < 10; n++) await pay(public_id, await openLink(public_id), 'tok_sbx_decline_funds')
  const weeks = Array.from({ length: 8 }, (_, week) => ({
    hours: 1,
    weeks: week + 1,
    payments_count: 20,
    decided_count: 20,
    declined_count: 2,
  }))
  let hour = new Date()
  await watched(guarded, weeks, (begins) => {
    hour = begins
    return sql(
      `update payments set created_at = $2::timestamptz + interval '59 minutes' where tenant_id = $1`,
      [merchant.tenantId, begins],
    )
  })
  const [insight, ...others] = await insightsOf(guarded, '?status=open')
  expect(others).toEqual([])
  expect(insight).toMatchObject({
    object: 'insight',
    kind: 'cards_declined',
    status: 'open',
    evidence: {
      begins_at: hour.toISOString(),
      ends_at: new Date(hour.getTime() + hourMs).toISOString(),
      count: 10,
      of_count: 10,
      expected_count: 1,
      spread_count: 1,
      // A holiday among them counts for nothing.
      weeks_count: expect.any(Number),
    },
    answered_by: null,
    ended_at: null,
  })
  const [declined] = await sql<{ code: string }>(
    `select decline_code as code from payments where tenant_id = $1 limit 1`,
    [merchant.tenantId],
  )
  expect(insight!.evidence.decline_code).toBe(declined!.code)
  expect(await eventsOf(guarded)).toEqual(['opened'])
})

test('one cause has one insight, which ends once it was over for three hours', async () => {
  const { guarded, insight } = await newUnusual()
  expect(insight).toMatchObject({
    kind: 'refunds_many',
    status: 'open',
    evidence: { count: 6, decline_code: null },
  })
  await watched(guarded, manyRefunds)
  expect(await insightsOf(guarded)).toEqual([insight])
  // For two hours it is as usual, then not, then for three hours.
  await hoursPass(guarded, 2)
  await watched(guarded, [])
  expect(await insightsOf(guarded)).toEqual([insight])
  await watched(guarded, manyRefunds)
  await hoursPass(guarded, 3)
  await watched(guarded, [])
  const [ended] = await insightsOf(guarded, '?status=resolved')
  expect(ended).toMatchObject({ id: insight.id, status: 'resolved', version: 2 })
  expect(ended!.ended_at).not.toBeNull()
  expect(await eventsOf(guarded)).toEqual(['opened', 'resolved'])
  // The next time is another one.
  await watched(guarded, manyRefunds)
  expect((await insightsOf(guarded)).map(({ status }) => status)).toEqual(['open', 'resolved'])
})

test('an acknowledged one still ends; a dismissed one is not opened again for the same', async () => {
  const { guarded, insight } = await newUnusual()
  const { status, body } = await answer(guarded, insight.id, 'acknowledge')
  expect([status, body.status, body.answered_by]).toEqual([
    200,
    'acknowledged',
    { user_id: guarded.admin.userId, email: guarded.admin.email },
  ])
  expect(errorOf(await answer(guarded, insight.id, 'acknowledge'))).toEqual([409, 'insight_acknowledged'])
  expect((await answer(guarded, insight.id, 'dismiss')).body).toMatchObject({
    status: 'dismissed',
    version: 3,
  })
  for (const how of ['acknowledge', 'dismiss'])
    expect(errorOf(await answer(guarded, insight.id, how))).toEqual([409, 'insight_ended'])
  await watched(guarded, manyRefunds)
  expect((await insightsOf(guarded)).map(({ status }) => status)).toEqual(['dismissed'])
  await hoursPass(guarded, 3)
  await watched(guarded, manyRefunds)
  expect((await insightsOf(guarded)).map(({ status }) => status)).toEqual(['open', 'dismissed'])
  expect(await eventsOf(guarded)).toEqual(['opened', 'acknowledged', 'dismissed', 'opened'])
  expect(await brokenRules(guarded.merchant.tenantId)).toEqual([])
})

test('fifty members who dismiss it at once: one does', async () => {
  const { guarded, insight } = await newUnusual()
  const ready = await Promise.all(
    Array.from({ length: 50 }, () => readyTo<Insight>(guarded, `insights/${insight.id}/dismiss`)),
  )
  const replies = await Promise.all(ready.map((send) => send()))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(
    new Set(
      replies
        .filter(({ status }) => status !== 200)
        .map(errorOf)
        .map(String),
    ),
  ).toEqual(new Set(['409,insight_ended']))
  expect(await eventsOf(guarded)).toEqual(['opened', 'dismissed'])
})

test('runs at once count an hour once', async () => {
  const guarded = await newGuarded()
  await paidByCard(guarded.merchant)
  await watched(guarded, [], async (begins) => {
    await sql(`update payments set created_at = $2 where tenant_id = $1`, [guarded.merchant.tenantId, begins])
    await sql(`update insight_watches set next_check_at = now(), counted_to = $2 where tenant_id = $1`, [
      guarded.merchant.tenantId,
      begins,
    ])
    await Promise.all(Array.from({ length: 5 }, () => trigger('sandbox')))
    await sql('delete from insight_hours where tenant_id = $1', [guarded.merchant.tenantId])
  })
  expect(
    await sql('select payments_count from insight_hours where tenant_id = $1', [guarded.merchant.tenantId]),
  ).toEqual([{ payments_count: 1 }])
})

test('a workspace without weeks to compare with, or of which nothing is counted, is looked at once a day', async () => {
  const guarded = await newGuarded()
  const waits = async () =>
    (
      await sql<{ hours: number }>(
        `select round(extract(epoch from next_check_at - counted_to) / 3600)::int as hours from insight_watches
         where tenant_id = $1`,
        [guarded.merchant.tenantId],
      )
    )[0]!.hours
  expect(await waits()).toBe(25)
  await watched(guarded, [])
  expect(await waits()).toBe(24)
  await watched(guarded, manyRefunds)
  expect(await waits()).toBe(1)
})

test.each([
  [
    'a second one of a cause that goes on',
    `insert into insights select i.tenant_id, gen_random_uuid(), 'open', i.kind,
     i.evidence, null, null, null, 1, now(), now() from insights i where i.id = $1`,
    'insights_one',
  ],
  ['another evidence', `update insights set evidence = evidence || '{"count": 1}' where id = $1`, null],
  ['an end without a status', `update insights set ended_at = now() where id = $1`, 'insights_ended'],
  [
    'a dismissal by nobody',
    `update insights set status = 'dismissed', ended_at = now() where id = $1`,
    'insights_answered',
  ],
])('the database refuses %s', async (_, statement, constraint) => {
  const { insight } = await newUnusual()
  const refused = await sql(statement, [insight.id]).then(
    () => null,
    (error: { constraint?: string }) => ({ constraint: error.constraint ?? null }),
  )
  expect(refused).toMatchObject(constraint ? { constraint } : {})
  expect(refused).not.toBeNull()
})

test('who may: insights are of one workspace, read by its keys and members, answered by its admins', async () => {
  const { guarded, insight } = await newUnusual()
  const stranger = await newGuarded()
  const path = `/v1/intelligence/insights/${insight.id}`
  const get = (bearer: string) => call<Insight>('GET', path, { bearer })
  expect((await get(guarded.merchant.apiKey)).status).toBe(200)
  expect(errorOf(await get(stranger.merchant.apiKey))).toEqual([404, 'insight_not_found'])
  expect((await get((await newMerchant({ scopes: ['reporting:read'] })).apiKey)).status).toBe(403)
  expect(errorOf(await answer(stranger, insight.id, 'dismiss'))).toEqual([404, 'insight_not_found'])
  expect(await insightsOf(stranger)).toEqual([])
})
