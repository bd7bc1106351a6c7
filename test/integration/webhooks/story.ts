import { expect } from 'vitest'
import { call, type Merchant } from '../../support/merchant.ts'
import type { Endpoint, Receiver } from '../../support/receiver.ts'
import { adminSql, trigger } from '../../support/stack.ts'

let paths = 0
export const newPath = () => {
  paths += 1
  return `/hooks/${paths}`
}

export const arrived = (receiver: Receiver, path: string, count = 1) =>
  expect.poll(() => receiver.at(path).length).toBeGreaterThanOrEqual(count)

export type Delivery = {
  id: string
  event_id: string
  event_type: string
  origin: string
  status: string
  attempts_count: number
  attempts: {
    number: number
    status: string
    failure: string | null
    response_status: number | null
    response_body: string | null
    duration_ms: number
  }[]
}

export const deliveriesOf = async ({ apiKey }: Merchant, query: string) =>
  (await call<{ data: Delivery[] }>('GET', `/v1/webhooks/deliveries?${query}`, { bearer: apiKey })).body.data

export async function deliveryIn(merchant: Merchant, endpointId: string, status: string): Promise<Delivery> {
  const query = `endpoint_id=${endpointId}&status=${status}`
  await expect.poll(async () => (await deliveriesOf(merchant, query)).length).toBeGreaterThanOrEqual(1)
  const [found] = await deliveriesOf(merchant, query)
  return (await call<Delivery>('GET', `/v1/webhooks/deliveries/${found!.id}`, { bearer: merchant.apiKey }))
    .body
}

/** As if everything that waits were due; then the sweep. */
export async function whenDue(endpointId: string): Promise<void> {
  await adminSql('sandbox')(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second'
     where endpoint_id = $1 and status = 'retrying'`,
    [endpointId],
  )
  await trigger('sandbox')
}

export const endpointNow = async ({ apiKey }: Merchant, id: string) =>
  (await call<Endpoint>('GET', `/v1/webhooks/endpoints/${id}`, { bearer: apiKey })).body

export const act = <Body = Record<string, unknown>>({ apiKey }: Merchant, path: string, body?: unknown) =>
  call<Body>('POST', `/v1/webhooks/${path}`, { bearer: apiKey, ...(body === undefined ? {} : { body }) })

export const recoveryOf = async ({ apiKey }: Merchant, id: string) =>
  (await call('GET', `/v1/webhooks/recoveries/${id}`, { bearer: apiKey })).body

/** As if a recovery had been requested a minute ago: it looks for the last time. */
export const aMinuteLater = (id: string) =>
  adminSql('sandbox')(
    `update webhook_recoveries set created_at = created_at - interval '61 seconds' where id = $1`,
    [id],
  )
