import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import {
  accept,
  addFile,
  dispute,
  disputeIs,
  disputeOf,
  draft,
  evidence,
  fileOf,
  filesOf,
  pdf,
  pollDisputes,
  resolve,
} from '../../support/disputes.ts'
import { jpeg, png, webp, webpOf } from '../../support/images.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { eventsOf, paidByCard } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

async function disputed(merchant?: Merchant) {
  const owner = merchant ?? (await newMerchant())
  return { merchant: owner, id: (await dispute(owner, await paidByCard(owner))).body.id }
}

/** The evidence that the bank has. */
const told = async (id: string) =>
  (
    await sql<{ evidence: object | null }>(
      `select evidence from simulator.disputes
       where dispute_ref = (select processor_ref from disputes where id = $1)`,
      [id],
    )
  )[0]!.evidence

const refused = ({ status, body }: { status: number; body: unknown }) => {
  const { error } = body as { error?: { code: string; param?: string } }
  return [status, error?.code ?? '', error?.param ?? null]
}

test('files are uploaded, kept in a draft, sent to the bank with the evidence that names them, and shown', async () => {
  const { merchant, id } = await disputed()
  const [receipt, photo, scan] = [
    (await addFile(merchant, id)).body,
    (await addFile(merchant, id, png(32, 32))).body,
    (await addFile(merchant, id, jpeg(32, 32))).body,
  ]
  expect(receipt).toMatchObject({
    object: 'dispute_file',
    dispute_id: id,
    status: 'stored',
    name: 'Recibo.pdf',
    content_type: 'application/pdf',
    bytes: 64,
  })
  expect([photo.content_type, scan.content_type]).toEqual(['image/png', 'image/jpeg'])
  expect((await filesOf(merchant, `?dispute_id=${id}`)).map((file) => file.id)).toEqual([
    scan.id,
    photo.id,
    receipt.id,
  ])

  const kept = await draft(merchant, id, { files: { receipt: receipt.id } })
  expect(kept.body).toMatchObject({ evidence: {}, evidence_files: { receipt: receipt.id } })
  await expect.poll(() => told(id)).toEqual({ files: { receipt: `file_${receipt.id}` } })

  const files = { receipt: receipt.id, customer_communication: photo.id, uncategorized_file: scan.id }
  const texts = { customer_communication: 'We wrote to each other on 14 June.' }
  expect((await evidence(merchant, id, { ...texts, files })).body).toMatchObject({
    evidence: texts,
    evidence_files: files,
    pending_action: 'submit',
  })
  await disputeIs(merchant, id, 'under_review')
  const refs = Object.fromEntries(Object.entries(files).map(([field, file]) => [field, `file_${file}`]))
  expect(await told(id)).toEqual({ ...texts, files: refs })
  expect(await disputeOf(merchant, id)).toMatchObject({ evidence_files: files, pending_action: null })
  expect((await eventsOf(merchant.tenantId, id)).at(-1)).toMatchObject({
    type: 'dispute.under_review',
    object: { evidence_files: files },
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the content decides; what a bank does not take is refused by name', async () => {
  const { merchant, id } = await disputed()
  const table: [content: Buffer, code: string][] = [
    [Buffer.alloc(0), 'dispute_file_empty'],
    [webpOf(webp.lossy(32, 32)), 'dispute_file_type_unsupported'],
    [Buffer.from('%!PS-Adobe-3.0 Recibo.pdf'), 'dispute_file_type_unsupported'],
    [pdf(4_500_001), 'dispute_file_too_large'],
  ]
  for (const [content, code] of table)
    expect(refused(await addFile(merchant, id, content))).toEqual([422, code, 'content'])
  expect(await filesOf(merchant)).toEqual([])
  expect((await addFile(merchant, id, pdf(4_500_000))).status).toBe(201)
})

test('evidence names files of its own dispute, of 4.5 MB together', async () => {
  const { merchant, id } = await disputed()
  const other = await disputed(merchant)
  const stranger = await disputed()
  const [own, large] = [
    (await addFile(merchant, id)).body,
    (await addFile(merchant, id, pdf(2_300_000))).body,
  ]
  const foreign = [
    randomUUID(),
    (await addFile(merchant, other.id)).body.id,
    (await addFile(stranger.merchant, stranger.id)).body.id,
  ]
  for (const send of [evidence, draft]) {
    for (const file of foreign)
      expect(refused(await send(merchant, id, { files: { receipt: own.id, refund_policy: file } }))).toEqual([
        404,
        'dispute_file_not_found',
        'files.refund_policy',
      ])
    expect(
      refused(await send(merchant, id, { files: { receipt: large.id, refund_policy: large.id } })),
    ).toEqual([422, 'dispute_files_too_large', 'files'])
    expect(refused(await send(merchant, id, { files: {} }))).toEqual([422, 'parameter_invalid', null])
    expect(refused(await send(merchant, id, { files: { passport: own.id } }))[0]).toBe(422)
  }
  expect(await disputeOf(merchant, id)).toMatchObject({ evidence_files: {}, pending_action: null })
  for (const file of foreign.slice(1))
    expect(refused(await fileOf(await newMerchant(), file))).toEqual([404, 'dispute_file_not_found', null])

  const naming = (files: object) =>
    sql('update disputes set evidence_files = $2, version = version + 1 where id = $1', [
      id,
      JSON.stringify(files),
    ])
  for (const file of foreign)
    await expect(naming({ receipt: file })).rejects.toMatchObject({
      constraint: 'disputes_evidence_files_own',
    })
  await expect(naming({ receipt: large.id, refund_policy: large.id })).rejects.toMatchObject({
    constraint: 'disputes_evidence_files_bytes',
  })
})

test('no file for a dispute that takes no evidence, or is not there', async () => {
  const { merchant, id } = await disputed()
  const file = (await addFile(merchant, id)).body
  await accept(merchant, id)
  expect(refused(await addFile(merchant, id))).toEqual([409, 'dispute_evidence_not_awaited', null])
  for (const missing of [randomUUID(), (await disputed()).id])
    expect(refused(await addFile(merchant, missing))).toEqual([404, 'dispute_not_found', 'dispute_id'])
  expect((await fileOf(merchant, file.id)).body).toEqual(file)
})

test('an upload that is repeated is one file, also at once', async () => {
  const { merchant, id } = await disputed()
  const key = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(Array.from({ length: 50 }, () => addFile(merchant, id, pdf(), key)))
  expect(replies.filter(({ status }) => status !== 201)).toEqual([])
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect(await filesOf(merchant)).toHaveLength(1)
  const rows = () =>
    sql('select status from dispute_files where tenant_id = $1 order by id', [merchant.tenantId])
  expect(await rows()).toEqual([{ status: 'stored' }])

  // A try that was never finished, whose row has had its time.
  await sql(`delete from idempotency_claims where tenant_id = $1 and operation = 'dispute_files.add'`, [
    merchant.tenantId,
  ])
  await sql(`update dispute_files set status = 'removed', remove_at = null where tenant_id = $1`, [
    merchant.tenantId,
  ])
  const late = await addFile(merchant, id, pdf(), key)
  expect([late.status, late.body.id === replies[0]!.body.id]).toEqual([201, false])
})

test('a dispute has 20 files, a workspace 500 MiB, however many come at once', async () => {
  const { merchant, id } = await disputed()
  const fill = (bytes: number, count: number, of: string) =>
    sql(
      `insert into dispute_files (tenant_id, id, dispute_id, name, content_type, bytes, address, status, remove_at, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 'x', 'image/png', $3, md5(random()::text), 'uploading', now() + interval '1 hour', now(), now()
       from generate_series(1, $4)`,
      [merchant.tenantId, of, bytes, count],
    )
  await fill(1, 18, id)
  const replies = await Promise.all(Array.from({ length: 5 }, () => addFile(merchant, id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
  expect(refused(await addFile(merchant, id))).toEqual([409, 'dispute_files_too_many', null])

  for (let full = 0; full < 5; full++) await fill(4_500_000, 20, (await disputed(merchant)).id)
  const last = await disputed(merchant)
  await fill(4_500_000, 16, last.id)
  expect(refused(await addFile(merchant, last.id, pdf(3_000_000)))).toEqual([
    409,
    'dispute_files_quota_reached',
    null,
  ])
})

test('a file goes when its time is over, and evidence cannot name it any more', async () => {
  const { merchant, id } = await disputed()
  const { body: file } = await addFile(merchant, id)
  const days = (Date.parse(file.kept_until!) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(180)
  const ends = (when: string) =>
    sql(`update dispute_files set remove_at = ${when}, version = version + 1 where id = $1`, [file.id])
  await ends(`now() + interval '1 day'`)
  await draft(merchant, id, { files: { receipt: file.id } })
  await trigger('sandbox')
  const named = (await fileOf(merchant, file.id)).body
  expect(Math.round((Date.parse(named.kept_until!) - Date.now()) / 86_400_000)).toBe(180)

  await ends(`now() - interval '1 second'`)
  await trigger('sandbox')
  expect((await fileOf(merchant, file.id)).body).toMatchObject({ status: 'removed', kept_until: null })
  expect(refused(await draft(merchant, id, { files: { receipt: file.id } }))).toEqual([
    404,
    'dispute_file_not_found',
    'files.receipt',
  ])
  // What the evidence named stays, whatever becomes of the dispute.
  await resolve(merchant, id, 'won')
  await pollDisputes(merchant.tenantId)
  expect(await disputeOf(merchant, id)).toMatchObject({
    status: 'won',
    evidence_files: { receipt: file.id },
  })
})
