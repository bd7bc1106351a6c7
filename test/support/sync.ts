import { call, type Merchant } from './merchant.ts'
import { adminSql } from './stack.ts'

export type SyncResult = {
  external_id: string | null
  result: string
  customer_id: string | null
  kept: string[]
  error: { code: string; param: string | null } | null
}
export type Batch = {
  run: Record<string, unknown> & { id: string; status: string }
  results: SyncResult[]
  error?: { code: string }
}
export type Source = { id: string; status: string; version: number; error?: { code: string } }

const path = '/v1/customer-hub/sync-sources'

export async function newSource(
  { apiKey: bearer }: Merchant,
  name = 'Webshop',
  kind = 'push',
): Promise<string> {
  const { status, body, text } = await call<Source>('POST', path, { bearer, body: { kind, name } })
  if (status !== 201) throw new Error(`no source: ${status} ${text}`)
  return body.id
}

/** A source with a file. */
export async function newFileSource(merchant: Merchant): Promise<string> {
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  await adminSql('sandbox')(
    `insert into sync_files (tenant_id, id, source_id, status, bytes, shape, fields, remove_at, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, 'stored', 20, '{"delimiter":",","header":["id"],"start":3}', '["external_id"]',
       now() + interval '1 day', now(), now())`,
    [merchant.tenantId, id],
  )
  return id
}

export type Run = {
  id: string
  status: string
  progress: number | null
  failure: { code: string; message: string } | null
  error?: { code: string }
} & Record<'processed' | 'created' | 'updated' | 'skipped' | 'failed', number>

export async function startRun({ apiKey: bearer }: Merchant, id: string): Promise<Run> {
  const { status, body, text } = await call<Run>('POST', `${path}/${id}/runs`, { bearer, body: {} })
  if (status !== 201) throw new Error(`no run: ${status} ${text}`)
  return body
}

export const moveSource = ({ apiKey: bearer }: Merchant, id: string, move: string) =>
  call<Source>('POST', `${path}/${id}/${move}`, { bearer })

export const sent = ({ apiKey: bearer }: Merchant, id: string, records: unknown, mode?: string) =>
  call<Batch>('POST', `${path}/${id}/records:batch`, { bearer, body: { records, ...(mode ? { mode } : {}) } })

/** Pushes records and answers each one's result: `created`, or `failed` with its code and field. */
export async function push(merchant: Merchant, id: string, records: unknown, mode?: string) {
  const { status, body, text } = await sent(merchant, id, records, mode)
  if (status !== 200) throw new Error(`no batch: ${status} ${text}`)
  return body
}

export const told = ({ results }: Batch) =>
  results.map(({ result, error }) => (error ? `${error.code} ${error.param}` : result))

/** What a merchant's customers are, without times and ids. */
export const customersOf = ({ tenantId }: Merchant) =>
  adminSql('sandbox')<{ name: string | null; email: string | null; ids: string[] | null; version: number }>(
    `select c.name, c.email, c.version,
       (select array_agg(e.external_id order by e.external_id) from customer_external_ids e
         where e.tenant_id = c.tenant_id and e.customer_id = c.id) as ids
     from customers c where c.tenant_id = $1 order by c.name, c.email, c.id`,
    [tenantId],
  )
