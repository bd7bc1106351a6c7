import { publicId } from '../../src/kernel/ids.ts'
import { call, type Merchant } from './merchant.ts'
import { adminSql } from './stack.ts'

export interface Catalog {
  id: string
  public_id: string
  status: string
  version: number
  error?: { code: string; param: string | null; message: string }
}

export interface Item extends Catalog {
  name: string
  sku: string | null
  options: { name: string; values: string[] }[]
  price: { id: string; amount: string; currency: string } | null
}

/** Of catalogs, or of what is named at its end: `/items/…`. */
const pathOf = (at: string) =>
  /^\/(items|images|prices|categories)\b/.test(at)
    ? `/v1/catalog-${at.slice(1)}`
    : `/v1/digital-catalogs${at}`

/** A request about catalogs by the merchant's key. */
export const asked = <Body = Item>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  at: string,
  body?: object,
) =>
  call<Body>(method, pathOf(at), {
    bearer: apiKey,
    ...(body ? { body: body as never } : {}),
  })

export async function newCatalog(merchant: Merchant, fields: object = {}): Promise<Catalog> {
  const { status, body, text } = await asked<Catalog>(merchant, 'POST', '', { name: 'Tienda', ...fields })
  if (status !== 201) throw new Error(`no catalog: ${status} ${text}`)
  return body
}

export async function newItem(merchant: Merchant, catalogId: string, fields: object = {}): Promise<Item> {
  const made = { kind: 'file', name: 'Recetario', ...fields }
  const { status, body, text } = await asked(merchant, 'POST', `/${catalogId}/items`, made)
  if (status !== 201) throw new Error(`no item: ${status} ${text}`)
  return body
}

/** A catalog with this id, written straight into the table. */
export const catalogAs = ({ tenantId }: Merchant, id: string) =>
  adminSql('sandbox')(
    `insert into digital_catalogs (tenant_id, id, public_id, status, name, currency, metadata, created_at, updated_at)
     values ($1, $2, $3, 'draft', 'Tienda', 'mxn', '{}', now(), now()) on conflict do nothing`,
    [tenantId, id, publicId('scat')],
  )

/** An item with this id, written straight into the table. */
export const itemAs = ({ tenantId }: Merchant, catalogId: string, id: string) =>
  adminSql('sandbox')(
    `insert into catalog_items (tenant_id, id, catalog_id, status, kind, name, options, components, iva_rate,
       price_includes_tax, tracks_stock, revocation_policy, metadata, terms, created_at, updated_at)
     values ($1, $2, $3, 'active', 'file', 'Recetario', '[]', '[]', '16', true, false, 'never', '{}', '{}', now(), now())
     on conflict do nothing`,
    [tenantId, id, catalogId],
  )
