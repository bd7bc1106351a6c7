import { expect, test } from 'vitest'
import { brokenRules, chargesOf } from '../../support/books.ts'
import { call, type Link, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf, sendForm } from '../../support/pages.ts'
import { adminSql, trigger } from '../../support/stack.ts'

type Limited = Link & { uses_max: number | null; uses_count: number; uses_held_count: number | null }
type Refused = { error: { code: string; param: string | null } }

const limited = { usage: 'multi_use', uses_max: 2 }
const buyer = { name: 'Ana Prueba', email: 'ana@example.com' }
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

async function seller(fields: object = limited) {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { ...fields })
  const bearer = merchant.apiKey
  const path = `/v1/payment-links/${link.id}`
  return {
    merchant,
    link,
    read: async () => (await call<Limited>('GET', path, { bearer })).body,
    change: (body: object) => call<Refused & Limited>('PATCH', path, { bearer, body }),
    move: (to: string) => call<Refused & Limited>('POST', `${path}/${to}`, { bearer }),
    payBy: async (token: string) => pay(link.public_id, await openLink(link.public_id), token),
  }
}

const usesOf = ({ uses_max, uses_count, uses_held_count }: Limited) => [uses_max, uses_count, uses_held_count]

test('50 buyers for the last 3 of 5 uses: exactly 3 are charged, the others read why', async () => {
  const { merchant, link, read, payBy } = await seller({ usage: 'multi_use', uses_max: 5 })
  for (const token of ['tok_sbx_approve', 'tok_sbx_approve']) await payBy(token)
  const forms = await Promise.all(Array.from({ length: 50 }, () => openLink(link.public_id)))
  const answers = await Promise.all(forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(3)
  for (const { status, html } of answers.filter((answer) => answer.status !== 303)) {
    expect([409, 410]).toContain(status)
    expect(html).toMatch(/Nothing is left|The last places are being paid|The link has changed/)
  }
  expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual(Array(5).fill('captured'))
  expect(usesOf(await read())).toEqual([5, 5, 0])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a declined attempt frees its use; a refund does not', async () => {
  const { merchant, link, read, payBy } = await seller({ usage: 'multi_use', uses_max: 1 })
  await payBy('tok_sbx_decline_funds')
  expect(usesOf(await read())).toEqual([1, 0, 0])
  await payBy('tok_sbx_approve')
  expect(usesOf(await read())).toEqual([1, 1, 0])
  const { body } = await call<{ data: { id: string; status: string }[] }>(
    'GET',
    `/v1/payment-links/${link.id}/payments`,
    { bearer: merchant.apiKey },
  )
  const paid = body.data.find(({ status }) => status === 'succeeded')!
  const refund = { payment_id: paid.id, reason: 'requested_by_customer' }
  expect((await call('POST', '/v1/refunds', { bearer: merchant.apiKey, body: refund })).status).toBe(201)
  expect(usesOf(await read())).toEqual([1, 1, 0])
  expect((await pageOf(`/${link.public_id}?lang=en`)).html).toContain('Nothing is left')
})

test('an unpaid voucher holds a use until it expires', async () => {
  const { merchant, link, read } = await seller({
    usage: 'multi_use',
    uses_max: 1,
    payment_method_types: ['oxxo', 'card'],
  })
  const placed = await sendForm(link, { method: 'oxxo', ...buyer }, { query: '?method=oxxo' })
  expect(placed.status).toBe(303)
  expect(usesOf(await read())).toEqual([1, 0, 1])
  const page = await pageOf(`/${link.public_id}?lang=en`)
  expect([page.status, page.title]).toEqual([409, expect.stringContaining('The last places are being paid')])
  // The buyer with the voucher finds it again.
  const cookie = placed.headers.getSetCookie().join('; ')
  const own = await open(`/${link.public_id}`, { headers: { cookie } })
  expect([own.status, own.headers.get('location')]).toEqual([303, expect.stringContaining('/spcs_')])
  const [{ reference }] = (await adminSql('sandbox')<{ reference: string }>(
    `select method_details->>'reference' as reference from payments where tenant_id = $1`,
    [merchant.tenantId],
  )) as [{ reference: string }]
  const ended = `/v1/sandbox/oxxo/${reference}/expire`
  expect((await call('POST', ended, { bearer: merchant.apiKey })).status).toBe(200)
  expect(usesOf(await read())).toEqual([1, 0, 0])
  await openLink(link.public_id)
})

test('a link of which all uses are paid becomes inactive, once; more uses open it again', async () => {
  const { merchant, read, change, move, payBy } = await seller({ usage: 'multi_use', uses_max: 1 })
  await payBy('tok_sbx_approve')
  await trigger('sandbox')
  await trigger('sandbox')
  expect((await read()).status).toBe('inactive')
  const events = () =>
    adminSql('sandbox')('select type from events where tenant_id = $1 and type = $2', [
      merchant.tenantId,
      'payment_link.used_up',
    ])
  expect(await events()).toHaveLength(1)
  expect((await move('activate')).body.error.code).toBe('payment_link_used_up')
  expect((await change({ uses_max: 2 })).status).toBe(200)
  expect((await move('activate')).status).toBe(200)
  await payBy('tok_sbx_approve')
  await trigger('sandbox')
  expect(await events()).toHaveLength(2)
})

test('an authorization takes a use, but no link is used up before the last one is captured', async () => {
  const { merchant, link, read, payBy } = await seller({
    usage: 'multi_use',
    uses_max: 1,
    capture_method: 'manual',
  })
  const bearer = merchant.apiKey
  const authorized = async () => {
    expect((await payBy('tok_sbx_approve')).status).toBe(303)
    const path = `/v1/payment-links/${link.id}/payments?limit=1`
    return (await call<{ data: { id: string }[] }>('GET', path, { bearer })).body.data[0]!.id
  }
  const announced = async () => {
    await trigger('sandbox')
    return adminSql('sandbox')('select type from events where tenant_id = $1 and type = $2', [
      merchant.tenantId,
      'payment_link.used_up',
    ])
  }
  const first = await authorized()
  expect(await announced()).toHaveLength(0)
  expect([(await read()).status, usesOf(await read())]).toEqual(['active', [1, 1, 0]])
  expect((await pageOf(`/${link.public_id}?lang=en`)).html).toContain('Nothing is left')
  expect((await call('POST', `/v1/payments/${first}/cancel`, { bearer })).status).toBe(200)
  expect(usesOf(await read())).toEqual([1, 0, 0])
  const second = await authorized()
  expect((await call('POST', `/v1/payments/${second}/capture`, { bearer, body: {} })).status).toBe(200)
  expect(await announced()).toHaveLength(1)
  expect([(await read()).status, usesOf(await read())]).toEqual(['inactive', [1, 1, 0]])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a link that was paid before its successes were counted: what ends then is not refused', async () => {
  const { merchant, link, read, payBy } = await seller({ usage: 'multi_use', capture_method: 'manual' })
  await payBy('tok_sbx_approve')
  await payBy('tok_sbx_approve')
  await adminSql('sandbox')('delete from payment_link_uses where tenant_id = $1', [merchant.tenantId])
  const { body } = await call<{ data: { id: string }[] }>('GET', `/v1/payment-links/${link.id}/payments`, {
    bearer: merchant.apiKey,
  })
  for (const { id } of body.data)
    expect((await call('POST', `/v1/payments/${id}/cancel`, { bearer: merchant.apiKey })).status).toBe(200)
  expect((await read()).uses_count).toBe(0)
})

test('a limit belongs to links that many pay, covers what is taken, and comes before the first payment', async () => {
  const merchant = await newMerchant()
  const made = await call<Refused>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { manual_amount: 120_000, currency: 'mxn', uses_max: 3 },
  })
  expect([made.status, made.body.error]).toEqual([
    422,
    expect.objectContaining({ code: 'parameter_unknown', param: 'uses_max' }),
  ])
  const few = await seller({ usage: 'multi_use', uses_max: 3 })
  await few.payBy('tok_sbx_approve')
  await few.payBy('tok_sbx_approve')
  const lower = await few.change({ uses_max: 1 })
  expect([lower.status, lower.body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'payment_link_uses_taken', param: 'uses_max' }),
  ])
  expect((await few.change({ uses_max: 2 })).status).toBe(200)
  const many = await seller({ usage: 'multi_use' })
  await many.payBy('tok_sbx_approve')
  expect(usesOf(await many.read())).toEqual([null, 1, null])
  const late = await many.change({ uses_max: 9 })
  expect([late.status, late.body.error]).toEqual([
    409,
    expect.objectContaining({ code: 'payment_link_limit_late', param: 'uses_max' }),
  ])
})

test('lowering the limit while buyers pay: it is never exceeded', async () => {
  const { link, read, change } = await seller({ usage: 'multi_use', uses_max: 20 })
  const forms = await Promise.all(Array.from({ length: 20 }, () => openLink(link.public_id)))
  const [changes] = await Promise.all([
    Promise.all([4, 8, 12].map((most) => change({ uses_max: most }))),
    ...forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve')),
  ])
  for (const { status } of changes) expect([200, 409]).toContain(status)
  const { uses_max, uses_count } = await read()
  expect(uses_count).toBeLessThanOrEqual(uses_max!)
  expect(await chargesOf(link.public_id)).toHaveLength(uses_count)
})

test('before its start a link takes nothing, and its page says when it opens', async () => {
  const { link, change } = await seller({ starts_at: later(90) })
  const page = await pageOf(`/${link.public_id}?lang=en`)
  expect(page.status).toBe(409)
  expect(page.html).toContain('This link is not open yet')
  expect(page.html).toMatch(/takes payments here from: .*\d{1,2}:\d{2}.*Mexico City/)
  expect((await change({ starts_at: null })).status).toBe(200)
  const form = await openLink(link.public_id)
  expect((await change({ starts_at: later(30) })).status).toBe(200)
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).html).toContain('This link is not open yet')
  expect(await chargesOf(link.public_id)).toEqual([])
  const crossed = await change({ expires_at: later(20) })
  expect([crossed.status, crossed.body.error.param]).toEqual([422, 'starts_at'])
})

test('a paused link ages with the sandbox’s clock: its time can be over before it is active again', async () => {
  const { merchant, move } = await seller({ expires_at: later(60) })
  await move('deactivate')
  const forward = { bearer: merchant.apiKey, body: { advance: 'PT2H' } }
  expect((await call('POST', '/v1/sandbox/clock', forward)).status).toBe(200)
  expect((await move('activate')).body.error.code).toBe('payment_link_expired')
})
