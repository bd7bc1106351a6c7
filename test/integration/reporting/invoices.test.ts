import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAuthorized } from '../../support/authorized.ts'
import { newSession, payByCard, sessionNow } from '../../support/checkout.ts'
import { overtaking } from '../../support/gate.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { getReport, over, type Run, started, verify } from '../../support/reporting.ts'
import { adminSql } from '../../support/stack.ts'

type Invoice = {
  id: string
  status: string
  payment_id: string
  folio: string
  kind: string
  replaces_id: string | null
  error?: { code: string; param: string | null }
}
type Cells = Record<string, string | null>

const folio = () => randomUUID().toUpperCase()

const invoices = (merchant: Merchant, at = '', body: object | null = {}) =>
  call<Invoice & { data: Invoice[] }>(
    body === null ? 'GET' : 'POST',
    `/v1/payment-operations/invoices${at}`,
    {
      bearer: merchant.apiKey,
      ...(body && { body: body as never }),
    },
  )

const recorded = (merchant: Merchant, payment_id: string, kind = 'individual', of = folio()) =>
  invoices(merchant, '', { payment_id, folio: of, kind })

const rowsOf = async (merchant: Merchant, { id }: Run) =>
  (await getReport<{ data: { cells: Cells }[] }>(merchant, `/runs/${id}/rows`)).body.data.map(
    ({ cells }) => cells,
  )

const pending = async (merchant: Merchant, more: object = {}) =>
  over(merchant, await started(merchant, 'cfdi.pending', undefined, undefined, more))

test('a payment is in one CFDI, which is replaced or removed by its own word and kept', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 120_000 })
  const first = await recorded(merchant, payment, 'global')
  expect([first.status, first.body.status], first.text).toEqual([201, 'live'])
  const again = await recorded(merchant, payment)
  expect([again.status, again.body.error]).toMatchObject([
    409,
    { code: 'payment_invoiced', param: 'payment_id' },
  ])
  const other = folio()
  const second = await invoices(merchant, `/${first.body.id}/replace`, {
    folio: other.toLowerCase(),
    kind: 'individual',
  })
  expect([second.status, second.body]).toMatchObject([
    201,
    { status: 'live', folio: other, payment_id: payment, replaces_id: first.body.id },
  ])
  for (const word of ['replace', 'remove']) {
    const body = word === 'remove' ? {} : { folio: folio(), kind: 'global' }
    const ended = await invoices(merchant, `/${first.body.id}/${word}`, body)
    expect([ended.status, ended.body.error?.code]).toEqual([409, 'payment_invoice_ended'])
  }
  expect((await invoices(merchant, `/${second.body.id}/remove`)).body.status).toBe('removed')
  expect((await recorded(merchant, payment)).status).toBe(201)
  const { body } = await invoices(merchant, `?payment_id=${payment}`, null)
  expect(body.data.map(({ status }) => status)).toEqual(['live', 'removed', 'replaced'])
  expect((await invoices(merchant, `?folio=${other.toLowerCase()}`, null)).body.data).toHaveLength(1)
  const events = await adminSql('sandbox')(
    `select type from events where tenant_id = $1 and type like 'payment_invoice.%' order by position`,
    [merchant.tenantId],
  )
  expect(events.map(({ type }) => (type as string).split('.')[1])).toEqual([
    'recorded',
    'replaced',
    'recorded',
    'removed',
    'recorded',
  ])
})

test('only what was captured is invoiced, and another workspace’s payment is like none', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const held = await newAuthorized(merchant)
  expect((await recorded(merchant, held.paymentId)).body.error).toMatchObject({
    code: 'payment_uncaptured',
    param: 'payment_id',
  })
  const foreign = await recorded(merchant, await paidByCard(other, { amount: 1_000 }))
  const missing = await recorded(merchant, '0190a6d2-7c3e-7b1a-9f00-00000000ffff')
  const said = ({ status, body }: typeof foreign) => [status, { ...body.error, request_id: '' }]
  expect(said(foreign)).toEqual(said(missing))
  expect(foreign.body.error).toMatchObject({ code: 'payment_not_found', param: 'payment_id' })
  const wrong = await invoices(merchant, '', { payment_id: held.paymentId, folio: 'A-1', kind: 'global' })
  expect(wrong.body.error).toMatchObject({ code: 'parameter_invalid', param: 'folio' })
})

test('a CFDI has one kind, of however many payments it is', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const of = folio()
  const [first, second] = [
    await paidByCard(merchant, { amount: 60_000 }),
    await paidByCard(merchant, { amount: 40_000 }),
  ]
  // A sale that is paid in parts.
  const record = await recorded(merchant, first, 'individual', of)
  const part = await recorded(merchant, second, 'individual', of)
  expect([record.status, part.status]).toEqual([201, 201])
  const third = await paidByCard(merchant, { amount: 20_000 })
  const refused = await recorded(merchant, third, 'global', of)
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'payment_invoice_kind_differs', param: 'kind' },
  ])
  const replaced = await invoices(merchant, `/${part.body.id}/replace`, { folio: of, kind: 'global' })
  expect(replaced.body.error).toMatchObject({ code: 'payment_invoice_kind_differs', param: 'kind' })
  const foreign = await recorded(other, await paidByCard(other, { amount: 20_000 }), 'global', of)
  expect(foreign.status).toBe(201)
  // What has ended does not count.
  expect((await invoices(merchant, `/${part.body.id}/remove`)).status).toBe(200)
  const corrected = await invoices(merchant, `/${record.body.id}/replace`, { folio: of, kind: 'global' })
  expect(corrected.status, corrected.text).toBe(201)
  expect((await recorded(merchant, third, 'global', of)).status).toBe(201)
})

test('a record takes the place of one of its own payment that was replaced', async () => {
  const merchant = await newMerchant()
  const payments = [
    await paidByCard(merchant, { amount: 60_000 }),
    await paidByCard(merchant, { amount: 40_000 }),
  ]
  const [live, removed] = [await recorded(merchant, payments[0]!), await recorded(merchant, payments[1]!)]
  expect((await invoices(merchant, `/${removed.body.id}/remove`)).status).toBe(200)
  const replacing = (id: string, as: string) =>
    adminSql('sandbox')(
      `insert into payment_invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
         'payment_id', $2::text, 'status', 'live', 'ended_order', null, 'replaces_id', i.id))).*
       from payment_invoices i where i.id = $1 returning id`,
      [id, as],
    )
  await expect(replacing(removed.body.id, payments[1]!)).rejects.toMatchObject({
    constraint: 'payment_invoices_replaced',
  })
  await adminSql('sandbox')(
    `update payment_invoices set status = 'replaced', version = version + 1 where id = $1`,
    [live.body.id],
  )
  await expect(replacing(live.body.id, payments[1]!)).rejects.toMatchObject({
    constraint: 'payment_invoices_replaces',
  })
  await replacing(live.body.id, payments[0]!)
})

test('a record waits for one of the same folio that is being recorded: they are of one kind', async () => {
  const merchant = await newMerchant()
  const of = folio()
  const [one, other] = [
    await paidByCard(merchant, { amount: 10_000 }),
    await paidByCard(merchant, { amount: 10_000 }),
  ]
  const replies = await overtaking(
    merchant,
    () => recorded(merchant, one, 'individual', of),
    () => recorded(merchant, other, 'global', of),
  )
  expect(replies.map(({ status }) => status)).toEqual([201, 409])
})

test('50 records of one folio at once, half of each kind: all that are live have one', async () => {
  const merchant = await newMerchant()
  const of = folio()
  const payments = await Promise.all(
    Array.from({ length: 50 }, () => paidByCard(merchant, { amount: 10_000 })),
  )
  const replies = await Promise.all(
    payments.map((payment, at) => recorded(merchant, payment, at % 2 ? 'global' : 'individual', of)),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 25 }, () => 201),
    ...Array.from({ length: 25 }, () => 409),
  ])
  const kinds = replies.flatMap(({ status, body }) => (status === 201 ? [body.kind] : []))
  expect(new Set(kinds).size).toBe(1)
})

test('50 records of one payment at once: one is live', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 120_000 })
  const replies = await Promise.all(Array.from({ length: 50 }, () => recorded(merchant, payment)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
})

test('cfdi.pending has each captured payment without a CFDI as of its run, and its file stays what it was', async () => {
  const merchant = await newMerchant()
  const invoiced = await paidByCard(merchant, { amount: 90_000 })
  const session = await newSession(merchant, {
    line_items: [{ name: 'Taza', unit_amount: '11600' }],
    client_reference_id: 'order-9',
  })
  await payByCard(session)
  const waits = (await sessionNow(merchant, session)).payment_id!
  const refunded = await paidByCard(merchant, { amount: 50_000 })
  await refund(merchant, { payment_id: refunded, amount: '20000' })
  const record = await recorded(merchant, invoiced, 'global')
  const run = await pending(merchant)
  const rows = await rowsOf(merchant, run)
  expect(rows.find(({ payment_id }) => payment_id === waits)).toEqual({
    booked_at: expect.any(String),
    payment_id: waits,
    client_reference_id: 'order-9',
    sat_payment_form: '04',
    currency: 'mxn',
    amount: '11600',
    refunded: '0',
    iva: '1600',
    invoice_wanted: 'no',
  })
  expect(rows.find(({ payment_id }) => payment_id === refunded)).toMatchObject({
    refunded: '20000',
    iva: null,
  })
  expect(rows).toHaveLength(2)
  // What is recorded or removed later is in later runs.
  expect((await recorded(merchant, waits)).status).toBe(201)
  expect((await invoices(merchant, `/${record.body.id}/remove`)).status).toBe(200)
  expect(await rowsOf(merchant, run)).toEqual(rows)
  expect((await verify(merchant, run)).body).toMatchObject({ equal: true })
  const later = await rowsOf(merchant, await pending(merchant))
  expect(later.map(({ payment_id }) => payment_id).sort()).toEqual([invoiced, refunded].sort())
})

test('cfdi.pending says who asked for an invoice, and the RFC only where it is named', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 90_000 })
  const tax = {
    rfc: 'XAXX010101000',
    legal_name: 'Ana',
    tax_regime: '616',
    cfdi_use: 'S01',
    postal_code: '06700',
  }
  const given = async (tax_data: typeof tax | null) => {
    const asked = { name: null, email: null, phone: null, shipping: null, custom_fields: [], consents: [] }
    await adminSql('sandbox')(
      `insert into buyer_details (tenant_id, id, payment_id, origin_id, details, created_at)
       select tenant_id, gen_random_uuid(), id, origin_id, $2, now() from payments where id = $1`,
      [payment, { ...asked, tax_data }],
    )
  }
  await given(tax)
  const usual = await pending(merchant)
  expect(await rowsOf(merchant, usual)).toMatchObject([{ invoice_wanted: 'yes' }])
  expect(JSON.stringify(await rowsOf(merchant, usual))).not.toContain(tax.rfc)
  const named = await pending(merchant, { columns: ['payment_id', 'amount', 'rfc'] })
  expect(await rowsOf(merchant, named)).toEqual([{ payment_id: payment, amount: '90000', rfc: tax.rfc }])
  // Who gave data again, and wants none, wants none.
  await given(null)
  expect(await rowsOf(merchant, usual)).toMatchObject([{ invoice_wanted: 'no' }])
  expect(await rowsOf(merchant, named)).toEqual([{ payment_id: payment, amount: '90000', rfc: null }])
})
