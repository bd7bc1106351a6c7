import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../contract/requests.ts'
import { newAuthorized } from '../../support/authorized.ts'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { paidByCard, paidInCash, refund, refundsOf } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }
const nobody = '0190a6d2-7c3e-7b1a-9f00-0000000000ff'

let merchant: Merchant
let card: string
let cash: string
beforeAll(async () => {
  merchant = await newMerchant()
  card = await paidByCard(merchant)
  cash = await paidInCash(merchant)
})

type Bad = [what: string, body: () => Record<string, unknown>, code: string, param: string | null]

const bad: Bad[] = [
  ['an amount of zero', () => ({ payment_id: card, amount: '0' }), 'refund_amount_not_positive', 'amount'],
  ['a negative amount', () => ({ payment_id: card, amount: '-100' }), 'refund_amount_not_positive', 'amount'],
  ['minus zero', () => ({ payment_id: card, amount: '-0' }), 'refund_amount_not_positive', 'amount'],
  ['a fraction', () => ({ payment_id: card, amount: '10.50' }), 'amount_malformed', 'amount'],
  ['an exponent', () => ({ payment_id: card, amount: '1e3' }), 'amount_malformed', 'amount'],
  ['an amount with spaces', () => ({ payment_id: card, amount: ' 100' }), 'amount_malformed', 'amount'],
  ['an empty amount', () => ({ payment_id: card, amount: '' }), 'amount_malformed', 'amount'],
  ['a number', () => ({ payment_id: card, amount: 100 }), 'parameter_invalid', 'amount'],
  ['19 digits', () => ({ payment_id: card, amount: '9'.repeat(19) }), 'amount_malformed', 'amount'],
  ['18 digits', () => ({ payment_id: card, amount: '9'.repeat(18) }), 'refund_exceeds_captured', 'amount'],
  [
    'one cent more than was captured',
    () => ({ payment_id: card, amount: '10001' }),
    'refund_exceeds_captured',
    'amount',
  ],
  ['another currency', () => ({ payment_id: card, currency: 'usd' }), 'refund_currency_mismatch', 'currency'],
  ['no currency at all', () => ({ payment_id: card, currency: 'MXN' }), 'parameter_invalid', 'currency'],
  ['a payment that is not there', () => ({ payment_id: nobody }), 'payment_not_found', 'payment_id'],
  ['no id', () => ({ payment_id: 'spcs_1' }), 'parameter_invalid', 'payment_id'],
  ['another reason', () => ({ payment_id: card, reason: 'because' }), 'parameter_invalid', 'reason'],
  ['no reason', () => ({ payment_id: card, reason: undefined }), 'parameter_missing', 'reason'],
  ['another method', () => ({ payment_id: card, method: 'spei_out' }), 'parameter_invalid', 'method'],
  [
    'a card that is said to be paid back otherwise',
    () => ({ payment_id: card, method: 'recorded_offline' }),
    'refund_card_not_offline',
    'method',
  ],
  [
    'a CLABE for a card',
    () => ({ payment_id: card, destination }),
    'refund_destination_not_accepted',
    'destination',
  ],
  [
    'a CLABE for what is only recorded',
    () => ({ payment_id: cash, method: 'recorded_offline', destination }),
    'refund_destination_not_accepted',
    'destination',
  ],
  [
    'a CLABE with a wrong check digit',
    () => ({ payment_id: cash, destination: { ...destination, clabe: '646180000000000013' } }),
    'clabe_invalid',
    'destination.clabe',
  ],
  [
    'a CLABE of 17 digits',
    () => ({ payment_id: cash, destination: { ...destination, clabe: '64618000000000001' } }),
    'clabe_invalid',
    'destination.clabe',
  ],
  [
    'a holder of spaces',
    () => ({ payment_id: cash, destination: { ...destination, holder: '   ' } }),
    'parameter_invalid',
    'destination.holder',
  ],
  [
    'a card number for a holder',
    () => ({ payment_id: cash, destination: { ...destination, holder: '4242424242424242' } }),
    'card_number_refused',
    'destination.holder',
  ],
  [
    'a card number in metadata',
    () => ({ payment_id: card, metadata: { card: '4242 4242 4242 4242' } }),
    'card_number_refused',
    'metadata.card',
  ],
  ['no line items', () => ({ payment_id: card, line_items: [] }), 'parameter_invalid', 'line_items'],
  [
    'half of a line item',
    () => ({ payment_id: card, line_items: [{ id: 'sku', quantity: 0.5 }] }),
    'parameter_invalid',
    'line_items.0.quantity',
  ],
]

describe('a refund that cannot be', () => {
  test.each(bad)('%s', async (_what, body, code, param) => {
    expectProblem(await refund(merchant, body()), code, param)
  })

  test('nothing of it was stored', async () => {
    expect(await refundsOf(merchant.tenantId)).toEqual([])
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 2 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test("another merchant's payment gets the reply for one that does not exist, word for word", async () => {
    const foreign = await newMerchant()
    const header = { 'x-request-id': 'same-for-all' }
    const theirs = await refund(foreign, { payment_id: card }, header)
    const missing = await refund(foreign, { payment_id: nobody }, header)
    expectProblem(theirs, 'payment_not_found', 'payment_id')
    expect(theirs.text).toBe(missing.text)
  })

  test('a payment that was only authorized is refused', async () => {
    const { paymentId } = await newAuthorized(merchant)
    expectProblem(await refund(merchant, { payment_id: paymentId }), 'payment_not_refundable', 'payment_id')
  })

  test('a card refund by another method, past the plan: the schema refuses it too', async () => {
    const insert = (paymentId: string) =>
      adminSql('sandbox')(
        `insert into refunds (tenant_id, id, payment_id, payment_link_id, origin, status, method, amount_minor, currency,
           reason, metadata, checks_count, created_at, updated_at)
         select $1, gen_random_uuid(), p.id, p.origin_id, 'api', 'canceled', 'recorded_offline', 1, 'mxn', 'other', '{}', 0,
           now(), now() from payments p where p.tenant_id = $1 and p.id = $2`,
        [merchant.tenantId, paymentId],
      )
    await expect(insert(card)).rejects.toMatchObject({ constraint: 'refunds_card_not_offline' })
    await insert(cash)
  })

  test('a payment that was refunded wholly is refused', async () => {
    const spent = await paidByCard(merchant)
    expect((await refund(merchant, { payment_id: spent })).status).toBe(201)
    for (const amount of [undefined, '1'])
      expectProblem(
        await refund(merchant, { payment_id: spent, amount }),
        'refund_exceeds_captured',
        'amount',
      )
  })

  test('a wrong CLABE given later is refused', async () => {
    const { body } = await refund(merchant, { payment_id: cash, amount: '100' })
    const path = `/v1/refunds/${body.id}/destination`
    const told = (clabe: string) =>
      call('POST', path, { bearer: merchant.apiKey, body: { clabe, holder: 'Ana' } })
    expectProblem(await told('646180000000000013'), 'clabe_invalid', 'clabe')
    expectProblem(await told('64618000000000001x'), 'clabe_invalid', 'clabe')
  })
})

describe('the list', () => {
  test('by status, by payment and by time, newest first', async () => {
    const own = await newMerchant()
    const [a, b] = [await paidByCard(own), await paidInCash(own)]
    const ids: string[] = []
    for (const body of [
      { payment_id: a, amount: '100' },
      { payment_id: b, amount: '200' },
      { payment_id: a, amount: '300' },
    ])
      ids.push((await refund(own, body)).body.id)
    const list = async (query: string) => {
      const { body } = await call<{ data: { id: string }[] }>('GET', `/v1/refunds?${query}`, {
        bearer: own.apiKey,
      })
      return body.data.map(({ id }) => ids.indexOf(id))
    }
    const from = (at: string) => `created_at.gte=${encodeURIComponent(at)}`
    expect(await list('')).toEqual([2, 1, 0])
    expect(await list(`payment_id=${a}`)).toEqual([2, 0])
    expect(await list('status=requires_destination')).toEqual([1])
    expect(await list(`status=succeeded&payment_id=${b}`)).toEqual([])
    expect(await list(from('2999-01-01T00:00:00Z'))).toEqual([])
    expect(await list(`payment_id=${nobody}`)).toEqual([])
    const first = await call<{ next_cursor: string }>('GET', `/v1/refunds?limit=2&payment_id=${a}`, {
      bearer: own.apiKey,
    })
    expect(first.body.next_cursor).toBe('')
    const page = await call<{ next_cursor: string }>('GET', '/v1/refunds?limit=1', { bearer: own.apiKey })
    expect(await list(`limit=2&cursor=${page.body.next_cursor}`)).toEqual([1, 0])
    expectProblem(
      await call('GET', `/v1/refunds?limit=2&status=failed&cursor=${page.body.next_cursor}`, {
        bearer: own.apiKey,
      }),
      'cursor_invalid',
      'cursor',
    )
  })
})
