import { call, type Merchant } from './merchant.ts'
import { adminSql, bucketHere, stack, trigger } from './stack.ts'

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

export type File = {
  id: string
  delimiter: string
  columns: { header: string; field: string | null }[]
  error?: { code: string }
}

export const upload = async (
  { apiKey }: Merchant,
  id: string,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream,
  type = 'text/csv',
): Promise<{ status: number; body: File }> => {
  const response = await fetch(`${stack.sandbox.directUrl}${path}/${id}/file`, {
    method: 'PUT',
    // A Worker in process sees no header that is not named here.
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': type,
      ...(content instanceof ReadableStream ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
    },
    body: content,
    ...(content instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
  return { status: response.status, body: (await response.json()) as File }
}

/** Lets the scheduled job remove what is due, as if an hour had gone by. */
export async function swept(sourceId: string): Promise<void> {
  const sql = adminSql('sandbox')
  const isLeft = `source_id = $1 and (status in ('uploading', 'removing') or remove_at <= now())`
  for (let tries = 0; tries < 20; tries++) {
    await sql('delete from due_failures where id in (select id from sync_files where source_id = $1)', [
      sourceId,
    ])
    await sql(`update sync_files set remove_at = now() where ${isLeft}`, [sourceId])
    await trigger('sandbox')
    if ((await sql(`select from sync_files where ${isLeft}`, [sourceId])).length === 0) return
  }
  throw new Error('files are not removed')
}

/** The objects of a source's files in the bucket of the Worker in this process. */
export async function objectsOf(sourceId: string): Promise<readonly string[]> {
  const files = await adminSql('sandbox')<{ id: string }>('select id from sync_files where source_id = $1', [
    sourceId,
  ])
  return (bucketHere()?.keys() ?? []).filter((key) => files.some(({ id }) => key.includes(id)))
}

const sample = 'Id cliente,Nombre,Correo\nshop-1024,Ana Torres,ana@example.com\n'

/** A source with a file. */
export async function newFileSource(
  merchant: Merchant,
  content: string | Uint8Array<ArrayBuffer> = sample,
): Promise<string> {
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  const { status, body } = await upload(merchant, id, content)
  if (status !== 200) throw new Error(`no file: ${status} ${body.error?.code}`)
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

export const getRun = ({ apiKey: bearer }: Merchant, id: string): Promise<Run> =>
  call<Run>('GET', `/v1/customer-hub/sync-runs/${id}`, { bearer }).then(({ body }) => body)

/** Lets the scheduled job do a run's slices; a lease of one that died ends at once. */
export async function ended(merchant: Merchant, id: string): Promise<Run> {
  for (let tries = 0; tries < 20; tries++) {
    await adminSql('sandbox')(
      `update sync_runs set next_check_at = now() where id = $1 and next_check_at is not null`,
      [id],
    )
    await trigger('sandbox')
    const run = await getRun(merchant, id)
    if (!['queued', 'running'].includes(run.status)) return run
  }
  throw new Error('the run does not end')
}

/** Starts a run of the source and lets it end. */
export const ran = async (merchant: Merchant, id: string): Promise<Run> =>
  ended(merchant, (await startRun(merchant, id)).id)

export const errorFile = async ({ apiKey }: Merchant, runId: string): Promise<string> => {
  const response = await fetch(`${stack.sandbox.directUrl}/v1/customer-hub/sync-runs/${runId}/errors`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
}

export const moveSource = ({ apiKey: bearer }: Merchant, id: string, move: string) =>
  call<Source>('POST', `${path}/${id}/${move}`, { bearer })

export const sent = ({ apiKey: bearer }: Merchant, id: string, records: unknown, mode?: string) =>
  call<Batch>('POST', `${path}/${id}/records/batch`, { bearer, body: { records, ...(mode ? { mode } : {}) } })

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
