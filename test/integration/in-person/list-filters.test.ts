import { beforeAll, describe, expect, test } from 'vitest'
import { type InPersonStatus, inPersonStatuses } from '../../../functions/in-person/terminal/lifecycle.ts'
import { actionsPage, takenPage } from '../../../functions/in-person/terminal/store.ts'
import { asks, newPaired } from '../../support/devices.ts'
import { explained, pastTriggers, vacuumed } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { control } from '../../support/stack.ts'
import {
  type Action,
  ask,
  asksFor,
  type Counter,
  cancel,
  inPerson,
  newCounter,
  present,
  process,
  reports,
} from '../../support/terminal.ts'

interface Sale {
  id: string
  status: InPersonStatus
  device_id: string
  location_id: string
  created_at: string
}
type Page = { data: Sale[]; has_more: boolean; next_cursor: string }

const listed = async (merchant: Merchant, query: string) =>
  (await ask<Page>(merchant, 'GET', `/v1/in-person-payments?${query}`)).body

/** Every page of one row. */
async function walked(merchant: Merchant, query: string) {
  const found: Sale[] = []
  for (let cursor = ''; ; ) {
    const page = await listed(merchant, `limit=1&${query}${cursor && `&cursor=${cursor}`}`)
    found.push(...page.data)
    if (!page.has_more) return found
    cursor = page.next_cursor
  }
}

/** What a payment in person goes through to have a status; each way where there are several. */
const histories: Readonly<Record<Exclude<InPersonStatus, 'created'>, readonly (readonly string[])[]>> = {
  waiting_device: [[]],
  in_progress: [['step']],
  authorized: [['authorize']],
  succeeded: [['present'], ['authorize', 'capture part']],
  declined: [['decline']],
  canceled: [['cancel'], ['authorize', 'release'], ['authorize', 'lapse']],
  timed_out: [['wait']],
  unknown: [['late', 'wait']],
}

async function goThrough(counter: Counter, action: Action, step: string): Promise<void> {
  if (step === 'step')
    await asks(counter.reader.credential, 'POST', `/v1/device/actions/${action.id}/progress`, {
      step: 'reading_card',
    })
  if (step === 'present' || step === 'authorize') await present(counter)
  if (step === 'decline') await present(counter, { card: 'tok_sbx_decline_funds' })
  if (step === 'late') await present(counter, { answer: 'late' })
  if (step === 'cancel') await cancel(counter, action)
  if (step === 'release') await inPerson(counter, action, 'cancel')
  if (step === 'capture part') await inPerson(counter, action, 'capture', { body: { amount: '50000' } })
}

/** How far time is moved for what ends by it, before the others begin. */
const waits = { lapse: 'P8D', wait: 'PT5M' }
const ends = (steps: readonly string[]) => steps.findLast((step) => step in waits) ?? 'now'

/** A merchant with a sale of each history, each at a reader of its own. */
async function newSales() {
  const merchant = await newMerchant()
  // Before the first sale: from the wait on, what is late comes within a minute.
  const readers = []
  for (const _ of Object.values(histories).flat()) readers.push(await newPaired(merchant))
  for (const end of [...Object.keys(waits), 'now']) {
    for (const steps of Object.values(histories).flat()) {
      if (ends(steps) !== end) continue
      const counter = { merchant, reader: readers.pop()! }
      const capture_method = steps[0] === 'authorize' ? 'manual' : 'automatic'
      const { body } = await process(counter, { capture_method })
      for (const step of steps) await goThrough(counter, body, step)
    }
    if (end === 'now') continue
    await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: waits[end as keyof typeof waits] })
    await control.trigger('sandbox')
  }
  return merchant
}

describe('the list of payments in person', () => {
  let merchant: Merchant
  let all: Sale[]
  beforeAll(async () => {
    merchant = await newSales()
    all = (await listed(merchant, 'limit=100')).data
  })

  test('has a sale of each status that lasts', () => {
    const statuses = new Set(all.map(({ status }) => status))
    expect([...statuses].sort()).toEqual(Object.keys(histories).sort())
    expect(all).toHaveLength(Object.values(histories).flat().length)
  })

  test.each(inPersonStatuses)('finds those that are %s, page by page', async (status) => {
    const those = all.filter((sale) => sale.status === status)
    expect(those).toHaveLength(status === 'created' ? 0 : histories[status].length)
    expect(await walked(merchant, `status=${status}`)).toEqual(those)
  })

  test('narrows by status, device, location and time together', async () => {
    const canceled = all.filter(({ status }) => status === 'canceled')
    const [newest, middle, oldest] = canceled as [Sale, Sale, Sale]
    const both = async (query: string) => (await listed(merchant, `status=canceled&${query}`)).data
    expect(await both(`device_id=${oldest.device_id}`)).toEqual([oldest])
    expect(await both(`location_id=${newest.location_id}`)).toEqual([newest])
    expect(await both(`device_id=${oldest.device_id}&location_id=${newest.location_id}`)).toEqual([])
    expect(await both(`created_at.gt=${oldest.created_at}`)).toEqual([newest, middle])
    expect(await both(`created_at.lte=${oldest.created_at}`)).toEqual([oldest])
  })

  test('finds what was not handed to its reader yet', async () => {
    const counter = await newCounter()
    const { body } = await process(counter)
    writtenByHand(counter.merchant.tenantId)
    await pastTriggers(`update payments set status = 'processing' where id = '${body.payment_id}'`)
    const { data } = await listed(counter.merchant, 'status=created')
    expect(data.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: body.in_person_payment_id, status: 'created' },
    ])
    expect((await listed(counter.merchant, 'status=waiting_device')).data).toEqual([])
  })
})

const idOf = (what: string) => `md5(concat(t.tenant_id, '${what}', n))::uuid`

/** Copies of a row, a minute apart, each with other values. */
const copiesOf = (table: string, others: string) =>
  `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) ||
     jsonb_build_object('created_at', t.created_at - n * interval '1 minute') || ${others})).*
   from ${table} t, generate_series(1, ${rows}) n where t.id = $1`

const rows = 4_000
/** Of so many one is not paid. */
const rareOf = 40

describe('a page of 20 costs the same on the first page and half way down', () => {
  let merchant: Merchant
  let sample: Sale
  let farAt: Date

  beforeAll(async () => {
    for (let each = 0; each < 2; each++) {
      const counter = await newCounter()
      merchant = counter.merchant
      writtenByHand(merchant.tenantId)
      const { body } = await process(counter)
      await present(counter)
      sample = (await listed(merchant, '')).data[0]!
      const ids = { sale: body.in_person_payment_id, payment: body.payment_id, action: body.id }
      await pastTriggers(
        copiesOf(
          'in_person_payments',
          `jsonb_build_object('id', ${idOf('sale')}, 'public_id', 'sinp_' || md5(concat(t.tenant_id, n)))`,
        ),
        [ids.sale],
      )
      await pastTriggers(
        copiesOf(
          'payments',
          `jsonb_build_object('id', ${idOf('payment')}, 'origin_id', ${idOf('sale')},
            'public_id', 'spcs_' || md5(concat(t.tenant_id, n)), 'status', (array['requires_capture', 'expired',
            'canceled'])[1 + n % ${rareOf}], 'capture_before', case n % ${rareOf} when 0 then now() when 2 then now() end) || case when n % ${rareOf} > 2 then '{"status":"succeeded"}' else '{}' end::jsonb`,
        ),
        [ids.payment],
      )
      await pastTriggers(
        copiesOf(
          'reader_actions',
          `jsonb_build_object('id', gen_random_uuid(), 'expires_at', t.created_at - n * interval '1 minute', 'payment_id', ${idOf('payment')},
            'in_person_payment_id', ${idOf('sale')}, 'status', case n % ${rareOf} when 1 then 'failed' else 'succeeded' end)`,
        ),
        [ids.action],
      )
      const { body: ping } = await asksFor(counter, 'ping')
      await reports(counter, ping, { outcome: 'completed' })
      await pastTriggers(
        copiesOf(
          'reader_actions',
          `jsonb_build_object('id', gen_random_uuid(), 'expires_at', t.created_at - n * interval '1 minute',
            'ended_at', t.created_at - n * interval '1 minute')`,
        ),
        [ping.id],
      )
    }
    farAt = new Date(Date.now() - (rows / 2) * 60_000)
    for (const table of ['in_person_payments', 'payments', 'reader_actions']) await vacuumed(table)
  })

  test.each<[string, (sold: Sale) => Parameters<typeof takenPage>[0]]>([
    ['all', () => ({})],
    ['of a device', ({ device_id: deviceId }) => ({ deviceId })],
    ['of a location', ({ location_id: locationId }) => ({ locationId })],
    ['by status', () => ({ status: 'succeeded' })],
    ['by a rare status of the payment', () => ({ status: 'authorized' })],
    ['by a rare status of the action', () => ({ status: 'declined' })],
    ['by one of three places', () => ({ status: 'canceled' })],
    ['by status and device', ({ device_id: deviceId }) => ({ status: 'declined', deviceId })],
  ])('%s', async (_what, filter) => {
    const touched = (after: object) =>
      explained(merchant.tenantId, takenPage({ ...filter(sample), ...after, rows: 21 }))
    const first = await touched({})
    const far = await touched({ afterCreatedAt: farAt, afterId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })
    const plan = first.nodes.map((node) => node['Index Name'] ?? node['Node Type'])
    expect(first.buffers, plan.join(', ')).toBeLessThanOrEqual(300)
    expect(far.buffers, plan.join(', ')).toBeLessThanOrEqual(1.2 * first.buffers + 20)
    expect(plan).not.toContain('Seq Scan')
  })
  test.each(['ping', 'process_payment', 'print'])('actions of type %s', async (type) => {
    const touched = (after: object) => explained(merchant.tenantId, actionsPage({ type, ...after, rows: 21 }))
    const first = await touched({})
    const far = await touched({ afterCreatedAt: farAt, afterId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })
    const plan = first.nodes.map((node) => node['Index Name'] ?? node['Node Type'])
    expect(first.buffers, plan.join(', ')).toBeLessThanOrEqual(100)
    expect(far.buffers, plan.join(', ')).toBeLessThanOrEqual(1.2 * first.buffers + 20)
    expect(plan).not.toContain('Seq Scan')
  })
})
