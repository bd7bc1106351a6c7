import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf, StackError } from './errors.ts'
import {
  confirmAddress,
  createApiKey,
  createPaymentLink,
  openAccount,
  openWorkspace,
  send,
  setPayouts,
} from './merchant.ts'

/** The demo tenant as in `.local/stack.json`. */
export type Demo = {
  email: string
  password: string
  totp_secret: string
  tenant_id: string
  api_key: string
  payment_link_url: string
}

type Kept = Omit<Demo, 'payment_link_url'> & { public_id: string; scopes: string[] }

/** All that an operation asks of a key. */
export const demoScopes = [
  'customer_hub.contacts:write',
  'customer_hub.notes:write',
  'customer_hub.provider_sync:write',
  'customer_hub.segments:read',
  'customer_hub.segments:write',
  'customer_hub:read',
  'customer_hub:write',
  'digital_catalog.inventory:read',
  'digital_catalog.inventory:write',
  'digital_catalog:read',
  'digital_catalog:write',
  'hosted_checkout:read',
  'hosted_checkout:write',
  'payment_links:read',
  'payment_links:write',
  'table_pay:read',
  'table_pay:write',
  'physical_checkout:read',
  'physical_checkout:write',
  'policies:read',
  'refunds:read',
  'refunds:write',
  'intelligence:read',
  'reporting:read',
  'tap_to_pay:read',
  'tap_to_pay:write',
  'terminal:read',
  'terminal:write',
  'transfers:read',
  'transfers:write',
  'webhooks:read',
  'webhooks:write',
  'workspace:read',
  'workspace:write',
]

/**
 * A demo merchant in the sandbox: made once through the service's own interface and kept in `folder`. Made again when
 * its key or its link no longer work, for instance after `--reset`, or when its key lacks a scope.
 */
export async function demoTenant(baseUrl: string, mailboxUrl: string, folder: string): Promise<Demo> {
  const file = join(folder, 'demo.json')
  try {
    const kept = await readKept(file)
    const demo = kept && (await works(baseUrl, kept)) ? kept : await make(baseUrl, mailboxUrl)
    await writeFile(file, JSON.stringify(demo, null, 2), { mode: 0o600 })
    const { public_id, scopes: _, ...printed } = demo
    return { ...printed, payment_link_url: `${baseUrl}/${public_id}` }
  } catch (cause) {
    throw new StackError(`The demo tenant could not be made: ${reasonOf(cause)}`)
  }
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept
  } catch {
    return undefined
  }
}

async function works(baseUrl: string, { api_key, public_id, scopes }: Kept): Promise<boolean> {
  if (`${scopes}` !== `${demoScopes}`) return false
  const [list, page] = await Promise.all([
    send(baseUrl, '/v1/payment-operations/transfers?limit=1', { method: 'GET', bearer: api_key }),
    send(baseUrl, `/${public_id}`, { method: 'GET' }),
  ])
  await Promise.all([list.arrayBuffer(), page.arrayBuffer()])
  return list.ok && page.ok
}

async function make(baseUrl: string, mailboxUrl: string): Promise<Kept> {
  const email = `demo-${randomBytes(4).toString('hex')}@example.com`
  const account = await openAccount(baseUrl, 'Demo', email)
  await confirmAddress(mailboxUrl, baseUrl, account)
  const tenantId = await openWorkspace(baseUrl, account, 'Café Azul')
  const order = { tenantId, environment: 'sandbox', description: 'Demo', scopes: demoScopes } as const
  const apiKey = await createApiKey(baseUrl, account, order)
  await setPayouts(baseUrl, account, {
    tenantId,
    environment: 'sandbox',
    clabe: '032180000118359719',
    holder: 'Café Azul',
  })
  const publicId = await createPaymentLink(baseUrl, apiKey, {
    manual_amount: 120_000,
    currency: 'mxn',
    usage: 'multi_use',
    description: 'Silla de jardín',
    installment_options: [{ months: 3 }, { months: 6 }],
    metadata: { order: '1024' },
  })
  return {
    email,
    password: account.password,
    totp_secret: account.totpSecret,
    tenant_id: tenantId,
    api_key: apiKey,
    public_id: publicId,
    scopes: demoScopes,
  }
}
