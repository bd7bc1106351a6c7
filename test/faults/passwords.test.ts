import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { newCustomer } from '../support/customer.ts'
import { call, newMerchant } from '../support/merchant.ts'
import { adminSql, control, stack } from '../support/stack.ts'

afterAll(() => control.reconfigure('sandbox'))

const withPassword = (url: string, password: string) => Object.assign(new URL(url), { password }).href

test('while the databases take another password than the Worker has, it says so; afterwards the same key has its effect', async () => {
  const [merchant, customer] = [await newMerchant(), await newCustomer()]
  const { sandbox, identity } = stack.databases
  await control.reconfigure('sandbox', {
    vars: {
      DATABASE_URL: withPassword(sandbox.workerUrl, 'of yesterday'),
      IDENTITY_DATABASE_URL: withPassword(identity.workerUrl, 'of yesterday'),
    },
  })
  const key = { 'idempotency-key': randomUUID() }
  const create = () =>
    call<{ error: { code: string } }>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      headers: key,
      body: { manual_amount: 120_000, currency: 'mxn' },
    })
  const refused = await create()
  expect([refused.status, refused.body.error.code]).toEqual([503, 'outcome_unknown'])
  expect(refused.headers.get('retry-after')).toBe('1')
  const { email, password, token: bearer } = customer
  for (const reply of [
    await call('GET', '/v1/payment-links', { bearer: merchant.apiKey }),
    await call('POST', '/v1/auth/sign-in/email', { body: { email, password } }),
    await call('GET', '/v1/auth/get-session', { bearer }),
  ])
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
  const lines = JSON.stringify(await control.workerLines('sandbox'))
  expect(lines.includes('of yesterday') || lines.includes('of%20yesterday')).toBe(false)

  await control.reconfigure('sandbox')
  expect((await create()).status).toBe(201)
  expect((await create()).headers.get('idempotent-replayed')).toBe('true')
  const links = await adminSql('sandbox')('select id from payment_links where tenant_id = $1', [
    merchant.tenantId,
  ])
  expect(links).toHaveLength(1)
  expect((await call('GET', '/v1/auth/get-session', { bearer })).status).toBe(200)
})
