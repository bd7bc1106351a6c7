import { expect, test } from 'vitest'
import { base36 } from '../../../src/kernel/ids.ts'
import { cancel, capture, newAuthorized } from '../../support/authorized.ts'
import { brokenRules } from '../../support/books.ts'
import { waitingBehind } from '../../support/gate.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { funded, payOut, payoutOf, payoutsOf, pollPayouts, settingsFor } from '../../support/payouts.ts'
import { Client } from '../../support/postgres.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { deposit, lent, standing } from '../../support/spei.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import {
  allWaits,
  approve,
  approverOf,
  endow,
  isNow,
  pollOnce,
  toClabe,
  transfer,
} from '../../support/transfers.ts'

type Status = 'active' | 'pending' | 'suspended' | 'closed'

const become = ({ tenantId }: Merchant, status: Status) =>
  adminSql('sandbox')('update tenants set status = $2, version = version + 1 where tenant_id = $1', [
    tenantId,
    status,
  ])

const attemptsOf = async ({ tenantId }: Merchant): Promise<number> =>
  (await adminSql('sandbox')('select id from payment_attempts where tenant_id = $1', [tenantId])).length

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim()

test.each([
  ['suspended', 'workspace_suspended'],
  ['closed', 'workspace_closed'],
  ['pending', 'workspace_not_live'],
] as const)('a %s workspace takes no new payment; what was begun goes on', async (status, code) => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const toCapture = await newAuthorized(merchant)
  const toCancel = await newAuthorized(merchant)
  const paid = await paidByCard(merchant)
  const { location, clabe, paymentId } = await lent(merchant, 50_000)
  const { body: declined } = await call<{ data: { id: string }[] }>('GET', '/v1/payment-links', {
    bearer: merchant.apiKey,
  })
  await become(merchant, status)
  const attempts = await attemptsOf(merchant)

  const refused = await call('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { manual_amount: 120_000, currency: 'mxn' },
  })
  expect(codeOf(refused)).toBe(`403 ${code}`)
  const submitted = await pay(link.public_id, form, 'tok_sbx_approve')
  expect([submitted.status, submitted.location]).toEqual([403, null])
  expect(submitted.html).toContain('cannot take payments here')
  expect(submitted.html).toContain('Nothing was charged.')
  for (const [language, words] of [
    ['es-MX', 'no puede recibir pagos por aquí'],
    ['en', 'cannot take payments here'],
  ] as const) {
    const page = await fetch(`${stack.sandbox.directUrl}/${link.public_id}`, {
      headers: { 'accept-language': language },
    })
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(words)])
  }
  expect(await attemptsOf(merchant)).toBe(attempts)

  const bearer = merchant.apiKey
  expect((await call('GET', '/v1/workspace', { bearer })).body).toMatchObject({ status })
  expect((await capture(merchant, toCapture.paymentId)).status).toBe(200)
  expect((await cancel(merchant, toCancel.paymentId)).status).toBe(200)
  expect((await refund(merchant, { payment_id: paid, amount: '5000' })).status).toBe(201)
  const { id } = declined.data[0]!
  expect((await call('POST', `/v1/payment-links/${id}/revoke`, { bearer })).status).toBe(200)
  // A CLABE that was issued before is still shown, and what arrives on it is booked.
  const shown = await fetch(stack.sandbox.directUrl + location)
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(clabe.slice(-4))])
  expect((await deposit(merchant, clabe, 50_000)).status).toBe(201)
  await expect.poll(() => standing(merchant, paymentId)).toMatch(/^succeeded 50000/)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what is begun while a suspension is being recorded waits for it, and is refused', async () => {
  const merchant = await newMerchant()
  const { tenantId, apiKey } = merchant
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>(
      `update tenants set status = 'suspended' where tenant_id = $1 returning pg_backend_pid() as pid`,
      [tenantId],
    )
    const making = call('POST', '/v1/payment-links', {
      bearer: apiKey,
      body: { manual_amount: 120_000, currency: 'mxn' },
    })
    const paying = pay(link.public_id, form, 'tok_sbx_approve')
    await expect.poll(() => waitingBehind(rows[0]!.pid), { interval: 10 }).toBe(2)
    await client.query('commit')
    expect(codeOf(await making)).toBe('403 workspace_suspended')
    expect((await paying).status).toBe(403)
  } finally {
    await client.end()
  }
  expect(await attemptsOf(merchant)).toBe(0)
})

test('a suspended workspace sends no money of its own; reinstated, the payout of its day follows', async () => {
  const { merchant } = await funded([100_000])
  const [{ today }] = (await adminSql('sandbox')<{ today: string }>(
    `select (now() at time zone 'America/Mexico_City')::date::text as today`,
  )) as [{ today: string }]
  await adminSql('sandbox')(
    `update payout_settings set interval = 'daily', next_payout_on = $2 where tenant_id = $1`,
    [merchant.tenantId, today],
  )
  const approver = await approverOf(merchant)
  await allWaits(merchant)
  const waiting = (await transfer(merchant)).body
  await become(merchant, 'suspended')

  expect(codeOf(await payOut(merchant))).toBe('403 workspace_suspended')
  expect(codeOf(await transfer(merchant))).toBe('403 workspace_suspended')
  expect(codeOf(await approve(approver, merchant, waiting))).toBe('403 workspace_suspended')
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toEqual([])
  const failures = await adminSql('sandbox')('select job from due_failures where tenant_id = $1', [
    merchant.tenantId,
  ])
  expect(failures).toEqual([])

  await become(merchant, 'active')
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what was debited and never reached the bank waits for the reinstatement', async () => {
  const merchant = await newMerchant()
  await settingsFor(merchant, { account: '18' })
  await endow(merchant, 10_000n)
  const sent = (await transfer(merchant, { amount: '1000', destination: toClabe('18') })).body
  await isNow(merchant, sent.id, 'processing')
  const paid = (await payOut(merchant)).body
  await expect.poll(async () => (await payoutOf(merchant, paid.id)).status).toBe('in_transit')
  const ids = [sent.id, paid.id]
  const atBank = () =>
    adminSql('sandbox')('select reference from simulator.bank_orders where reference = any ($1)', [ids])
  await adminSql('sandbox')('delete from simulator.bank_orders where reference = any ($1)', [ids])
  const look = async () => {
    await pollOnce(merchant.tenantId)
    await pollPayouts(merchant)
  }

  await become(merchant, 'suspended')
  await look()
  expect(await atBank()).toEqual([])
  await become(merchant, 'active')
  await look()
  expect(await atBank()).toHaveLength(2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a closed workspace is paid what is left', async () => {
  const merchant = await newMerchant()
  await settingsFor(merchant)
  await endow(merchant, 10_000n)
  await become(merchant, 'closed')
  expect((await payOut(merchant)).status).toBe(201)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a suspension against 50 submits: no attempt begins after it', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const { quote } = await openLink(link.public_id)
  const submits = Array.from({ length: 50 }, () =>
    pay(link.public_id, { quote, attempt_key: base36(32) }, 'tok_sbx_approve'),
  )
  await expect.poll(() => attemptsOf(merchant), { interval: 5 }).toBeGreaterThan(5)
  await become(merchant, 'suspended')
  const begun = await attemptsOf(merchant)
  const replies = await Promise.all(submits)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(begun)
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(50 - begun)
  expect(await attemptsOf(merchant)).toBe(begun)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
