import { expect, test } from 'vitest'
import { cancel } from '../../support/authorized.ts'
import { newVoucher, payInCash, vouchersOf } from '../../support/cash.ts'
import { answeredUnheard } from '../../support/challenge.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { expire, till } from '../payments/voucher-story.ts'

type Counts = { payments_count: number; accepted_count: number; [field: string]: unknown }
type Report = Counts & { groups: (Counts & { group: string | null })[]; reasons: Record<string, unknown>[] }

const ask = async <Body = Report>(merchant: Merchant, path: string) => {
  const { status, body, text } = await call<Body>('GET', `/v1/intelligence/${path}`, {
    bearer: merchant.apiKey,
  })
  expect(status, text).toBe(200)
  return body
}

/** Tries a link with one card after another, as one buyer. */
async function tries(merchant: Merchant, ...tokens: string[]) {
  const { public_id } = await newLink(merchant, { manual_amount: 10_000 })
  let query = ''
  for (const token of tokens) {
    const { location } = await pay(public_id, await openLink(public_id, query), token)
    query = retryOf(location)
  }
}

/** The query with which the buyer tries the same payment again. */
function retryOf(location: string | null) {
  const reference = /spcs_[a-z0-9]{32}/.exec(location ?? '')?.[0]
  return reference ? `?retry=${reference}` : ''
}

test('acceptance counts payments, not attempts; what is unknown or under way stands beside the rate', async () => {
  const merchant = await newMerchant()
  await tries(merchant, 'tok_sbx_approve')
  await tries(merchant, 'tok_sbx_debit')
  await tries(merchant, 'tok_sbx_decline_funds', 'tok_sbx_approve')
  await tries(merchant, 'tok_sbx_decline_funds', 'tok_sbx_decline_funds', 'tok_sbx_fraud')
  await tries(merchant, 'tok_sbx_3ds_challenge')
  await tries(merchant, 'tok_sbx_timeout_then_paid')
  await newVoucher(merchant)

  const report = await ask(merchant, 'acceptance?by=funding')
  expect(report).toMatchObject({
    currency: 'mxn',
    by: 'funding',
    payments_count: 6,
    accepted_count: 3,
    declined_count: 1,
    open_count: 1,
    unknown_count: 1,
    abandoned_count: 0,
    first_attempt_count: 2,
    retried_count: 2,
    recovered_count: 1,
    amount_accepted: '30000',
    // Three of four: too few for a rate.
    rate_bps: null,
    rate_low_bps: 3006,
    rate_high_bps: 9545,
  })
  const sum = (field: string) => report.groups.reduce((total, group) => total + Number(group[field]), 0)
  for (const field of ['payments_count', 'accepted_count', 'declined_count', 'recovered_count'])
    expect(sum(field), field).toBe(report[field])
  expect(report.groups.find(({ group }) => group === 'debit')).toMatchObject({ accepted_count: 1 })

  expect((await ask(merchant, 'acceptance')).groups).toEqual([])
  expect(await ask(merchant, 'acceptance?currency=usd')).toMatchObject({
    payments_count: 0,
    rate_low_bps: null,
  })
  expect(await ask(merchant, 'acceptance?ends_on=2025-01-31')).toMatchObject({
    begins_on: '2025-01-02',
    payments_count: 0,
  })
})

test.each([
  'method',
  'brand',
  'bin',
  'installments',
  'three_ds',
  'hour',
  'weekday',
  'day',
  'location',
  'origin',
])('acceptance by %s: its groups sum to the whole', async (by) => {
  const merchant = await newMerchant()
  await tries(merchant, 'tok_sbx_approve')
  await tries(merchant, 'tok_sbx_decline_generic')
  const { groups, ...total } = await ask(merchant, `acceptance?by=${by}`)
  expect(total).toMatchObject({ payments_count: 2, accepted_count: 1, declined_count: 1 })
  expect(groups.reduce((sum, { payments_count }) => sum + payments_count, 0)).toBe(2)
})

test('declines say why, how often trying again helped, and what the buyer read', async () => {
  const merchant = await newMerchant()
  await tries(merchant, 'tok_sbx_decline_funds', 'tok_sbx_approve')
  await tries(merchant, 'tok_sbx_decline_funds', 'tok_sbx_decline_funds', 'tok_sbx_fraud')
  await tries(merchant, 'tok_sbx_decline_funds')
  // Of these nothing is lost yet.
  await tries(merchant, 'tok_sbx_decline_generic', 'tok_sbx_3ds_challenge')
  await tries(merchant, 'tok_sbx_decline_generic', 'tok_sbx_timeout_then_paid')
  const { reasons } = await ask(merchant, 'declines')
  expect(reasons).toMatchObject([
    {
      decline_code: 'insufficient_funds',
      decline_category: 'soft',
      attempts_count: 4,
      payments_count: 3,
      amount_lost: '20000',
      retried_count: 2,
      recovered_count: 1,
      buyer_message: { es: 'La tarjeta no tiene fondos suficientes. Intenta con otra tarjeta.' },
    },
    {
      decline_code: 'card_declined',
      amount_lost: '0',
      payments_count: 2,
      retried_count: 2,
      recovered_count: 0,
    },
    { decline_code: 'suspected_fraud', attempts_count: 1, payments_count: 1, retried_count: 0 },
  ])
})

test('a bank that declined before the merchant canceled is a reason, with what to do', async () => {
  const merchant = await newMerchant()
  await tries(merchant, 'tok_sbx_3ds_challenge')
  const [attempt] = await adminSql('sandbox')<{ id: string; payment_id: string }>(
    'select id, payment_id from payment_attempts where tenant_id = $1',
    [merchant.tenantId],
  )
  await answeredUnheard(attempt!.id, false)
  expect((await cancel(merchant, attempt!.payment_id)).body.status).toBe('canceled')
  const { reasons } = await ask(merchant, 'declines')
  expect(reasons).toMatchObject([{ decline_code: 'authentication_failed', attempts_count: 1 }])
  expect(reasons[0]!.advice).toMatch(/confirm/)
  expect(await ask(merchant, 'acceptance')).toMatchObject({ declined_count: 1, abandoned_count: 0 })
})

test('a declined card is counted where its buyer then takes a voucher, which takes the seconds of the voucher', async () => {
  const merchant = await newMerchant()
  const { public_id } = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const { location } = await pay(public_id, await openLink(public_id), 'tok_sbx_decline_funds')
  await payInCash(public_id, await openLink(public_id, retryOf(location)), 'oxxo')
  await adminSql('sandbox')(
    `update payments set created_at = created_at - interval '1 hour' where tenant_id = $1`,
    [merchant.tenantId],
  )
  const reports = async () => {
    const [accepted, { reasons }, { methods }] = await Promise.all([
      ask(merchant, 'acceptance?by=method'),
      ask(merchant, 'declines'),
      ask<{ methods: Counts[] }>(merchant, 'conversion'),
    ])
    const declined = {
      payments_count: 1,
      accepted_count: 0,
      declined_count: 1,
      open_count: 0,
      retried_count: 0,
    }
    expect(accepted).toMatchObject({
      ...declined,
      amount_accepted: '0',
      groups: [{ group: 'card', ...declined }],
    })
    return [reasons, methods]
  }
  const declined = {
    decline_code: 'insufficient_funds',
    payments_count: 1,
    amount_lost: '0',
    retried_count: 1,
  }
  expect(await reports()).toMatchObject([
    [{ ...declined, recovered_count: 0 }],
    [{ method: 'oxxo', payments_count: 1, open_count: 1, paid_count: 0 }],
  ])
  const [voucher] = await vouchersOf(merchant.tenantId)
  expect((await till(merchant, voucher!.reference)).status).toBe(200)
  await trigger('sandbox')
  const [reasons, methods] = await reports()
  expect([reasons, methods]).toMatchObject([
    [{ ...declined, recovered_count: 1 }],
    [{ method: 'oxxo', payments_count: 1, open_count: 0, paid_count: 1 }],
  ])
  expect(Number(methods![0]!.paid_within_seconds_median)).toBeLessThan(3_600)
})

test('a card that pays where a voucher was taken before was accepted at its first attempt', async () => {
  const merchant = await newMerchant()
  const { link, location } = await newVoucher(merchant)
  const form = await openLink(link.public_id, retryOf(location))
  await pay(link.public_id, form, 'tok_sbx_approve')
  expect(await ask(merchant, 'acceptance')).toMatchObject({
    payments_count: 1,
    accepted_count: 1,
    first_attempt_count: 1,
    retried_count: 0,
  })
})

test('a voucher that waits is in no rate, one that lapsed is no decline', async () => {
  const merchant = await newMerchant()
  const [paid, lapsed] = [await newVoucher(merchant), await newVoucher(merchant), await newVoucher(merchant)]
  const conversion = async () => (await ask<{ methods: Counts[] }>(merchant, 'conversion')).methods
  expect(await conversion()).toMatchObject([
    {
      method: 'oxxo',
      payments_count: 3,
      open_count: 3,
      rate_low_bps: null,
      paid_within_seconds_median: null,
    },
  ])
  expect((await till(merchant, paid.reference)).status).toBe(200)
  expect((await expire(merchant, lapsed.reference)).status).toBe(200)
  await trigger('sandbox')
  const [oxxo] = await conversion()
  expect(oxxo).toMatchObject({
    payments_count: 3,
    paid_count: 1,
    lapsed_count: 1,
    open_count: 1,
    amount_paid: '120000',
  })
  expect(oxxo!.paid_within_seconds_median).toBe(oxxo!.paid_within_seconds_p90)
  expect(await ask(merchant, 'acceptance')).toMatchObject({ payments_count: 0 })
})

test('a sandbox whose clock went on says of no voucher that it was paid before it was made', async () => {
  const merchant = await newMerchant()
  const { reference } = await newVoucher(merchant)
  expect((await till(merchant, reference)).status).toBe(200)
  await trigger('sandbox')
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P3D' } })
  const { methods } = await ask<{ methods: Counts[] }>(merchant, 'conversion')
  expect(methods).toMatchObject([
    { paid_count: 1, paid_within_seconds_median: 0, paid_within_seconds_p90: 0 },
  ])
})

test.each([
  ['acceptance?begins_on=2026-02-01&ends_on=2026-01-31', 'begins_on'],
  ['declines?begins_on=2025-01-01&ends_on=2026-01-31', 'begins_on'],
  ['conversion?ends_on=2023-12-31', 'ends_on'],
  ['conversion?ends_on=2026-02-30', 'ends_on'],
  ['acceptance?by=color', 'by'],
  ['acceptance?currency=peso', 'currency'],
  ['forecasts/cash-flow?days=46', 'days'],
  ['forecasts/cash-flow?days=0', 'days'],
])('refused: %s', async (path, param) => {
  const merchant = await newMerchant()
  const { status, body } = await call<{ error: object }>('GET', `/v1/intelligence/${path}`, {
    bearer: merchant.apiKey,
  })
  expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param }])
})

test.each([
  ['acceptance?by=brand', 'Tarjetas aceptadas', 'Accepted cards'],
  ['forecasts/cash-flow', 'Lo que entrará a tu saldo', 'What will come into your balance'],
])(
  '%s is a picture where the request accepts that, in its language, and JSON elsewhere',
  async (path, spanish, english) => {
    const merchant = await newMerchant()
    await tries(merchant, 'tok_sbx_approve')
    const asked = async (accept: string | undefined, language?: string) => {
      const { status, headers, text } = await call('GET', `/v1/intelligence/${path}`, {
        bearer: merchant.apiKey,
        headers: {
          ...(accept ? { accept } : {}),
          ...(language ? { 'accept-language': language } : {}),
        },
      })
      expect(status, text).toBe(200)
      expect(headers.get('vary')).toContain('Accept')
      return { type: headers.get('content-type'), language: headers.get('content-language'), text }
    }
    const [es, en] = [await asked('image/svg+xml'), await asked('image/svg+xml', 'en-US')]
    expect([es.type, es.language, en.language]).toEqual(['image/svg+xml', 'es-MX', 'en'])
    expect(es.text).toContain(`<title id="title">${spanish}</title>`)
    expect(en.text).toContain(`<title id="title">${english}</title>`)
    expect(await asked('application/json;q=0.2, image/svg+xml')).toMatchObject({ type: 'image/svg+xml' })
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'text/html',
      'image/svg+xml;q=0.1, application/json',
      '*/*, image/svg+xml;q=0.9',
      'image/svg+xml, application/json',
    ])
      expect((await asked(accept)).type).toBe('application/json')
  },
)
