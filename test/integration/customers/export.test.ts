import { expect, test } from 'vitest'
import { exportParts } from '../../../src/generated/export-parts.ts'
import { asked, letters, newCustomer, newVerified, waitEnds } from '../../support/customers.ts'
import { call, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { newFileSource, newSource, push, ran } from '../../support/sync.ts'

const hub = '/v1/customer-hub'

type Export = Record<string, Record<string, unknown>[]>
const exported = (merchant: Merchant, id: string) =>
  asked<Export & { error?: { code: string } }>(merchant, 'POST', `/customers/${id}/export`)

const fileAt = async ({ apiKey }: Merchant, path: string): Promise<string> => {
  const response = await fetch(`${stack.sandbox.directUrl}${hub}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
}

test('an export has everything of the person and of who became part of them, nothing of others, no digest', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const own = { external_id: letters() }
  const eva = await newCustomer(merchant, { name: letters(), ...own })
  const other = await newCustomer(merchant, { name: letters(), email: `${letters()}@example.com` })
  const note = letters()
  await asked(merchant, 'POST', `/customers/${eva.id}/notes`, { text: note })
  await asked(merchant, 'POST', `/contacts/${ana.contactId}/consents`, {
    channel: 'email',
    method: 'web_form',
    text_version: 'v1',
    ip: '2001:db8::77',
  })
  const source = await newSource(merchant)
  await push(merchant, source, [{ external_id: 'shop-7', customer: own }])
  const merged = await asked(merchant, 'POST', `/customers/${eva.id}/merge`, { into: ana.id })
  expect(merged.status).toBe(200)
  const collects = { phone: 'required' }
  const link = await newLink(merchant, { customer_id: ana.id, collects, usage: 'multi_use' })
  const form = { card_token: 'tok_sbx_approve', receipt_email: ana.email!, 'detail.phone': '5511111111' }
  await sendForm(link, form)
  // Given with an address that is kept as a digest alone.
  const question = { custom_fields: [{ key: 'reach', label: 'Correo' }] }
  const asking = await newLink(merchant, { collects: question, usage: 'multi_use' })
  await sendForm(asking, { card_token: 'tok_sbx_approve', 'field.reach': `¿A ${ana.email}?` })
  await sendForm(asking, { card_token: 'tok_sbx_approve', 'field.reach': other.email! })

  const { status, body, text } = await exported(merchant, eva.id)
  expect(status, text).toBe(200)
  const { object, customer_id, created_at, ...parts } = body
  expect({ object, customer_id }).toEqual({ object: 'customer_export', customer_id: ana.id })
  expect(Object.keys(parts)).toEqual(exportParts)
  expect(parts.customers!.map(({ id }) => id).sort()).toEqual([ana.id, eva.id].sort())
  expect(parts.contacts).toMatchObject([{ kind: 'email', value: ana.email }])
  expect(parts.consents).toMatchObject([{ ip: '2001:db8::77', text_version: 'v1' }])
  expect(parts.notes).toMatchObject([{ text: note }])
  expect(parts.external_ids).toMatchObject([{ source_id: source, external_id: 'shop-7' }])
  expect(parts.payments).toMatchObject([{ amount: '120000', currency: 'mxn', method: 'card' }])
  expect(parts.payment_contacts).toMatchObject([{ email: ana.email }])
  expect(parts.collected_details!.map(({ details }) => details)).toMatchObject([
    { phone: '+525511111111' },
    { custom_fields: [{ value: `¿A ${ana.email}?` }] },
  ])
  expect(parts.events!.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['customer.created', 'customer.merged', 'customer.consent_given']),
  )
  expect(text).not.toContain(other.name)
  expect(text).not.toContain(other.email)
  expect(text).not.toMatch(/digest|_minor|[0-9a-f]{64}/)

  const entries = await adminSql('sandbox')(
    `select from audit_events a join audit_event_objects o on o.tenant_id = a.tenant_id and o.id = a.id
     where a.tenant_id = $1 and a.operation = 'customers.export' and o.object_id = $2`,
    [merchant.tenantId, ana.id],
  )
  expect(entries).toHaveLength(1)
})

test('an export of many rows is whole, and is refused from the first slice of an erasure on', async () => {
  const merchant = await newMerchant()
  const { id } = await newCustomer(merchant, { name: 'Ana' })
  await adminSql('sandbox')(
    `insert into customer_notes (tenant_id, id, customer_id, status, text, created_at, updated_at)
     select $1, uuidv7(), $2, 'active', 'note ' || n, now(), now() from generate_series(1, 400) n`,
    [merchant.tenantId, id],
  )
  const { body } = await exported(merchant, id)
  expect(new Set(body.notes!.map(({ text }) => text)).size).toBe(400)
  expect((await exported(await newMerchant(), id)).body.error?.code).toBe('customer_not_found')
  expect((await asked(merchant, 'POST', `/customers/${id}/erase`)).status).toBe(200)
  expect((await exported(merchant, id)).status).toBe(200)
  await waitEnds(id)
  expect((await exported(merchant, id)).body.error?.code).toBe('customer_erased')
})

test('customers leave as CSV and come in again elsewhere as they were; a cell that a spreadsheet computes is text', async () => {
  const merchant = await newMerchant()
  const said = {
    name: '=HYPERLINK("https://example.com")',
    email: 'ana@example.com',
    phone: '+525512345678',
    locale: 'es-MX',
    tags: ['vip', 'mayoreo'],
    addresses: [
      {
        label: null,
        line1: 'Av. Juárez 1, "A"',
        line2: null,
        neighborhood: 'Centro',
        city: 'Ciudad de México',
        state: 'CDMX',
        postal_code: '06000',
        country: 'MX',
      },
    ],
    tax_profile: {
      rfc: 'XAXX010101000',
      legal_name: 'ANA TORRES',
      tax_regime: '616',
      postal_code: '06000',
      cfdi_use: 'S01',
    },
  }
  await newCustomer(merchant, said)
  for (let count = 0; count < 3; count++) await newCustomer(merchant, { name: `Otra ${count}` })
  const csv = await fileAt(merchant, '/customers.csv')
  expect(csv.split('\r\n')).toHaveLength(6)
  expect(csv).toContain(`"'=HYPERLINK(""https://example.com"")"`)

  const elsewhere = await newMerchant()
  expect(await ran(elsewhere, await newFileSource(elsewhere, csv))).toMatchObject({ created: 4, failed: 0 })
  const { body } = await asked<{ data: object[] }>(elsewhere, 'GET', '/customers?query=hyperlink')
  expect(body.data).toMatchObject([said])

  const segment = await call<{ id: string }>('POST', `${hub}/segments`, {
    bearer: merchant.apiKey,
    body: { name: 'VIP', rule: { type: 'tag', is: 'vip' } },
  })
  const members = await fileAt(merchant, `/segments/${segment.body.id}/members.csv`)
  expect(members.split('\r\n')).toHaveLength(3)
})
