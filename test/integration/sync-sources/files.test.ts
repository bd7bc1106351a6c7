import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { asked } from '../../support/customers.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import {
  customersOf,
  ended,
  errorFile,
  type File,
  getRun,
  moveSource,
  newFileSource,
  newSource,
  type Run,
  ran,
  startRun,
  upload,
} from '../../support/sync.ts'

const sql = adminSql('sandbox')
const hub = '/v1/customer-hub'
const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))
const started = ({ apiKey: bearer }: Merchant, id: string) =>
  call<Run>('POST', `${hub}/sync-sources/${id}/runs`, { bearer, body: {} })
const rows = (count: number, row: (at: number) => string) =>
  `id,nombre,correo\n${Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('')}`

test('a spreadsheet becomes customers: upload, preview, run, errors; the same file again changes nothing', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  const text = [
    'Código;Nombre;Apellidos;Correo;Tel. 2;Notas',
    '1;Ana;Peña;ANA@example.com;;=1+1',
    '2;Berta;;berta;;"two\r\nlines"',
    '',
    '3;"Carla ""C""";López;;;x',
    '4;Diana',
  ].join('\r\n')
  const uploaded = await upload(merchant, id, bytesOf(`${text}\r\n`, 'latin1'))
  expect(uploaded.body).toMatchObject({
    delimiter: ';',
    columns: [
      { header: 'Código', field: 'external_id' },
      { header: 'Nombre', field: 'name' },
      { header: 'Apellidos', field: 'name' },
      { header: 'Correo', field: 'email' },
      { header: 'Tel. 2', field: null },
      { header: 'Notas', field: null },
    ],
  })
  const fields = ['external_id', 'name', 'name', 'email', 'phone', 'metadata.notes']
  const file = `${hub}/sync-sources/${id}/file`
  const mapped = await call<File>('PATCH', file, { bearer, body: { fields } })
  expect(mapped.body.columns.map(({ field }) => field)).toEqual(fields)
  expect((await call<File>('PATCH', file, { bearer, body: { fields: ['name'] } })).body.error?.code).toBe(
    'sync_file_columns_count',
  )
  const preview = await call<{ rows: { row: number; record: object; error: { code: string } | null }[] }>(
    'GET',
    `${file}/preview`,
    { bearer },
  )
  expect(preview.body.rows.map(({ row, error }) => `${row} ${error?.code}`)).toEqual([
    '2 undefined',
    '3 parameter_invalid',
    '5 undefined',
    '6 sync_row_cells_count',
  ])
  expect(preview.body.rows[0]!.record).toMatchObject({
    external_id: '1',
    customer: { name: 'Ana Peña', email: 'ana@example.com', metadata: { notes: '=1+1' } },
  })
  expect(await customersOf(merchant)).toEqual([])

  const run = await ran(merchant, id)
  const counts = { processed: 4, created: 2, updated: 0, skipped: 0, failed: 2 }
  expect(run).toMatchObject({ status: 'partial', total: 4, progress: 100, ...counts })
  const customers = await customersOf(merchant)
  expect(customers.map(({ name, email, ids }) => [name, email, ids])).toEqual([
    ['Ana Peña', 'ana@example.com', ['1']],
    ['Carla "C" López', null, ['3']],
  ])
  expect(await errorFile(merchant, run.id)).toBe(
    [
      '\ufeffrow,field,code,text,Código,Nombre,Apellidos,Correo,Tel. 2,Notas',
      '3,email,parameter_invalid,This field must be an e-mail address.,2,Berta,,berta,,"two\r\nlines"',
      '6,,sync_row_cells_count,This row has more or fewer cells than the header.,4,Diana',
      '',
    ].join('\r\n'),
  )

  expect(await ran(merchant, id)).toMatchObject({ status: 'partial', skipped: 2, created: 0, failed: 2 })
  expect(await customersOf(merchant)).toEqual(customers)
})

/** What the length alone is answered with: a refusal may end the connection before all of a file is written. */
async function codeByLength({ apiKey }: Merchant, id: string, bytes: number): Promise<string> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'text/csv',
    'content-length': String(bytes),
  }
  const sent = request(`${stack.sandbox.directUrl}${hub}/sync-sources/${id}/file`, { method: 'PUT', headers })
  sent.flushHeaders()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { error } = (await json(answer)) as { error: { code: string } }
  sent.on('error', () => {}).destroy()
  return error.code
}

test('a file that cannot be read is refused with its reason', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  const push = await newSource(merchant)
  const refused = async (content: Parameters<typeof upload>[2], source = id) =>
    (await upload(merchant, source, content)).body.error?.code
  expect((await started(merchant, id)).body.error?.code).toBe('sync_file_missing')
  expect(await refused(ReadableStream.from([new Uint8Array([97])]))).toBe('sync_file_length_missing')
  expect(await refused('')).toBe('sync_file_empty')
  expect(await refused('id,name\n')).toBe('sync_file_empty')
  expect(await refused(bytesOf('id,name\n1,Ana\n', 'utf16le'))).toBe('sync_file_not_text')
  expect(await refused('1,ana@example.com\n')).toBe('sync_file_header_missing')
  expect(await codeByLength(merchant, id, 50 * 1024 * 1024 + 1)).toBe('sync_file_too_large')
  expect(await refused('id\n1\n', push)).toBe('sync_source_takes_no_file')
  const form = 'multipart/form-data; boundary=x'
  const asForm = await upload(merchant, id, '--x\r\n\r\nid\n1\n', form)
  expect([asForm.status, asForm.body.error]).toMatchObject([
    415,
    { code: 'content_type_unsupported', message: expect.stringContaining('text/csv: a form is not read') },
  ])
  expect((await started(merchant, push)).body.error?.code).toBe('sync_source_is_pushed')
  expect((await upload(merchant, id, 'Notas\nx\n')).status).toBe(200)
  expect((await started(merchant, id)).body.error?.code).toBe('sync_file_without_id')
  expect((await upload(merchant, id, `id\n${'x'.repeat(50 * 1024 * 1024 - 4)}\n`)).status).toBe(200)
})

test('a run in slices shows its progress; its source is active with the first', async () => {
  const merchant = await newMerchant()
  const id = await newFileSource(
    merchant,
    rows(1_003, (at) => (at % 200 === 0 ? `${at},Ana ${at},` : ',,')),
  )
  const run = await startRun(merchant, id)
  expect(run).toMatchObject({ status: 'queued', progress: 0, processed: 0 })
  expect((await moveSource(merchant, id, 'pause')).body.status).toBe('paused')
  expect((await getRun(merchant, run.id)).status).toBe('paused')
  expect((await moveSource(merchant, id, 'resume')).body.status).toBe('active')
  expect(await ended(merchant, run.id)).toMatchObject({ status: 'succeeded', processed: 6, created: 6 })
  const types = await sql<{ type: string }>(
    `select type from events where tenant_id = $1 and type like 'sync_run.%' order by sequence, created_at, id`,
    [merchant.tenantId],
  )
  expect(types.map(({ type }) => type)).toEqual([
    'sync_run.queued',
    'sync_run.paused',
    'sync_run.queued',
    'sync_run.running',
    'sync_run.succeeded',
  ])
})

test('of fifty that start a run at once, one does', async () => {
  const merchant = await newMerchant()
  const id = await newFileSource(merchant)
  const answers = await Promise.all(Array.from({ length: 50 }, () => started(merchant, id)))
  const codes = answers.map(({ status, body }) => body.error?.code ?? status)
  expect(codes.filter((code) => code === 201)).toHaveLength(1)
  expect(codes.filter((code) => code === 'sync_run_open')).toHaveLength(49)
})

test('a run that is canceled beside its slices keeps what it counted, and the next one completes it', async () => {
  const merchant = await newMerchant()
  const count = 1_200
  const id = await newFileSource(
    merchant,
    rows(count, (at) => (at % 40 === 0 ? `${at},Ana ${at},` : `x${at},,none`)),
  )
  const run = await startRun(merchant, id)
  const cancel = () => call<Run>('POST', `${hub}/sync-runs/${run.id}/cancel`, { bearer: merchant.apiKey })
  const [canceled] = await Promise.all([
    new Promise((resolve) => setTimeout(resolve, 300)).then(cancel),
    trigger('sandbox'),
  ])
  const after = await getRun(merchant, run.id)
  expect([`200 canceled`, '409 partial']).toContain(`${canceled.status} ${after.status}`)
  expect(await customersOf(merchant)).toHaveLength(after.created)
  expect(await ran(merchant, id)).toMatchObject({
    created: count / 40 - after.created,
    skipped: after.created,
    failed: count - count / 40,
  })
  expect(
    (await call<Run>('POST', `${hub}/sync-runs/${run.id}/cancel`, { bearer: merchant.apiKey })).body.error
      ?.code,
  ).toBe('sync_run_over')
})

test('a row that never ends fails the run, and its source says why until the next one', async () => {
  const merchant = await newMerchant()
  const id = await newFileSource(merchant, `id,name\n1,Ana\n2,"${'x'.repeat(1_100_000)}\n`)
  const first = await ran(merchant, id)
  expect(first).toMatchObject({
    status: 'failed',
    created: 1,
    failure: { code: 'sync_file_row_too_long', message: expect.stringMatching(/^Row 3 /) },
  })
  const source = () =>
    call<{ status: string; failure: object | null }>('GET', `${hub}/sync-sources/${id}`, {
      bearer: merchant.apiKey,
    })
  expect((await source()).body).toMatchObject({
    status: 'error',
    failure: { code: 'sync_file_row_too_long' },
  })
  expect((await upload(merchant, id, 'id,name\n1,Ana\n')).status).toBe(200)
  expect(await ran(merchant, id)).toMatchObject({ status: 'succeeded', skipped: 1 })
  expect((await source()).body).toMatchObject({ status: 'active', failure: null })
})

const statusesOf = async (id: string) =>
  (
    await sql<{ status: string }>('select status from sync_files where source_id = $1 order by created_at', [
      id,
    ])
  ).map(({ status }) => status)
/** A minute for slices that are under way lies between the two steps. */
async function removes(id: string) {
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        await sql(`update sync_files set remove_at = now() where source_id = $1 and status = 'removing'`, [
          id,
        ])
        return statusesOf(id)
      },
      { timeout: 60_000 },
    )
    .toEqual(['removed'])
}

test('a file goes with its source, and its run with it', async () => {
  const merchant = await newMerchant()
  const id = await newFileSource(merchant, 'id,correo\n1,none\n')
  const first = await ran(merchant, id)
  expect(await errorFile(merchant, first.id)).toContain('none')
  const run = await startRun(merchant, id)
  await moveSource(merchant, id, 'disconnect')
  expect((await getRun(merchant, run.id)).status).toBe('canceled')
  await removes(id)
  expect(await errorFile(merchant, first.id)).toContain('sync_file_gone')
})

test('the file of a source that knows an erased person goes', async () => {
  const merchant = await newMerchant()
  const id = await newFileSource(merchant)
  await ran(merchant, id)
  const [customer] = await sql<{ id: string }>('select id from customers where tenant_id = $1', [
    merchant.tenantId,
  ])
  await asked(merchant, 'POST', `/customers/${customer!.id}/erase`)
  await sql(`update customers set erase_at = now() - interval '1 second' where id = $1`, [customer!.id])
  await removes(id)
})

test('a file with a card number is refused and not stored', async () => {
  const merchant = await newMerchant()
  const id = await newSource(merchant, 'Spreadsheet', 'csv')
  const { status, body } = await upload(merchant, id, 'id,nombre\n1,Ana\n2,4242 4242 4242 4242\n')
  expect([status, body.error]).toMatchObject([
    422,
    { code: 'sync_file_card_number', message: expect.stringContaining('Line 3') },
  ])
  expect(JSON.stringify(body)).not.toContain('4242')
  const files = await sql('select status from sync_files where source_id = $1', [id])
  expect(files).toEqual([{ status: 'uploading' }])
  expect((await started(merchant, id)).body.error?.code).toBe('sync_file_missing')
})

test('the sources and the uploaded files of a workspace are bounded, 50 at once too', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const create = () =>
    call<{ id: string; error?: { code: string } }>('POST', `${hub}/sync-sources`, {
      bearer,
      body: { kind: 'csv', name: 'x' },
    })
  const first = await create()
  const made = await Promise.all(Array.from({ length: 50 }, create))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(49)
  expect(made.find(({ status }) => status !== 201)!.body.error?.code).toBe('sync_source_limit_reached')
  // As if earlier files had taken nearly all of it.
  await sql(
    `insert into sync_files (tenant_id, id, source_id, status, bytes, remove_at, created_at, updated_at, version)
     select $1, gen_random_uuid(), $2, 'uploading', 52428800, now() + interval '1 day', now(), now(), 1
     from generate_series(1, 9)`,
    [merchant.tenantId, first.body.id],
  )
  const file = `id\n${'x'.repeat(20 * 1024 * 1024)}\n`
  const uploads = await Promise.all(
    [1, 2, 3].map((at) => upload(merchant, made.filter(({ status }) => status === 201)[at]!.body.id, file)),
  )
  expect(uploads.map(({ status, body }) => body.error?.code ?? status).sort()).toEqual([
    200,
    200,
    'sync_file_quota_reached',
  ])
})
