import { randomUUID } from 'node:crypto'
import { createApiKey, openAccount, openWorkspace, send } from '../local/merchant.ts'

export type Merchant = { tenantId: string; apiKey: string }

/** A merchant with a key and `links` payment links, made through the public interface. */
export async function newMerchant(baseUrl: string, name: string, links: number): Promise<Merchant> {
  const account = await openAccount(baseUrl, name, `${randomUUID()}@example.com`)
  const tenantId = await openWorkspace(baseUrl, account, name)
  const apiKey = await createApiKey(baseUrl, account, {
    tenantId,
    environment: 'sandbox',
    description: 'Bench',
    scopes: [
      'payment_links:read',
      'payment_links:write',
      'refunds:write',
      'transfers:write',
      'webhooks:read',
      'webhooks:write',
      'reporting:read',
      'terminal:read',
      'terminal:write',
      'workspace:write',
      'digital_catalog:read',
      'digital_catalog:write',
      'digital_catalog.inventory:write',
      'hosted_checkout:write',
      'customer_hub:read',
      'customer_hub:write',
      'customer_hub.notes:write',
      'customer_hub.provider_sync:write',
    ],
  })
  for (let made = 0; made < links; made++) {
    const reply = await send(baseUrl, '/v1/payment-links', {
      bearer: apiKey,
      key: randomUUID(),
      body: LINK,
    })
    if (reply.status !== 201) throw new Error(`no payment link: ${reply.status} ${await reply.text()}`)
  }
  return { tenantId, apiKey }
}

/** The body of a create request, for both Workers. */
export const LINK = {
  manual_amount: 120_000,
  currency: 'mxn',
  description: 'Silla',
  installment_options: [{ months: 3 }, { months: 12 }],
  metadata: { order: '1024' },
}
