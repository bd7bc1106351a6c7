import { expect, test } from 'vitest'
import { call, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

type Reply = { id?: string; endpoint?: { id: string }; error?: { code: string } }

test('60 endpoints at once: exactly 50 exist, the rest are refused; deleting one makes room for one', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const create = (bearer: string) =>
    call<Reply>('POST', '/v1/webhooks/endpoints', {
      bearer,
      body: { url: 'http://127.0.0.1:9/hook', event_types: ['payment.*'] },
    })
  const replies = await Promise.all(Array.from({ length: 60 }, () => create(merchant.apiKey)))
  const made = replies.filter(({ status }) => status === 201)
  const refused = replies.filter(({ status }) => status !== 201)
  expect(made).toHaveLength(50)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error?.code}`))).toEqual(
    new Set(['409 webhook_endpoint_limit_reached']),
  )
  const standing = () =>
    adminSql('sandbox')<{ endpoints: number; secrets: number }>(
      `select (select count(*)::int from webhook_endpoints where tenant_id = $1 and status <> 'deleted') as endpoints,
         (select count(*)::int from webhook_secrets where tenant_id = $1) as secrets`,
      [merchant.tenantId],
    )
  expect(await standing()).toEqual([{ endpoints: 50, secrets: 50 }])
  // The limit is per workspace, and counts existing endpoints.
  expect((await create(other.apiKey)).status).toBe(201)
  await call('DELETE', `/v1/webhooks/endpoints/${made[0]!.body.endpoint!.id}`, { bearer: merchant.apiKey })
  const again = await Promise.all(Array.from({ length: 5 }, () => create(merchant.apiKey)))
  expect(again.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  expect(await standing()).toMatchObject([{ endpoints: 50 }])
})

test('two test events of one endpoint at once are both sent', async () => {
  const merchant = await newMerchant()
  const { body } = await call<Reply>('POST', '/v1/webhooks/endpoints', {
    bearer: merchant.apiKey,
    body: { url: 'http://127.0.0.1:9/hook', event_types: ['payment.*'] },
  })
  const path = `/v1/webhooks/endpoints/${body.endpoint!.id}/test`
  for (let round = 0; round < 15; round++) {
    const both = await Promise.all([1, 2].map(() => call('POST', path, { bearer: merchant.apiKey })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  }
  const [{ highest, count } = { highest: 0, count: 0 }] = await adminSql('sandbox')<{
    highest: number
    count: number
  }>(
    `select max(sequence)::int as highest, count(*)::int as count from events
     where tenant_id = $1 and resource_id = $2`,
    [merchant.tenantId, body.endpoint!.id],
  )
  expect([highest, count]).toEqual([31, 31])
})
