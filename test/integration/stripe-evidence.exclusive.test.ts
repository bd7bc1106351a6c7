import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { addFile, disputeOf, draft, evidence } from '../support/disputes.ts'
import { png } from '../support/images.ts'
import { trigger } from '../support/stack.ts'
import {
  liveLink,
  notify,
  paymentOf,
  payWith,
  server,
  sql,
  until,
  withStripe,
} from '../support/stripe-live.ts'

// Files for evidence: Stripe gets each once, before the evidence that names it.

withStripe({})

/** A dispute of a payment by card, as Stripe has it and as we have it. */
async function disputed() {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_approve')
  const about = server.dispute(server.intentFor((await paymentOf(merchant)).attempt)!.id, 'needs_response')
  await notify('charge.dispute.created', about)
  const ours = () => sql<{ id: string }>('select id from disputes where tenant_id = $1', [merchant.tenantId])
  await until(async () => (await ours()).length === 1)
  return { merchant, ref: about.id, id: (await ours())[0]!.id }
}

const uploads = () => server.seen.filter(({ path }) => path === '/v1/files')
const refsOf = async (dispute: string) =>
  (
    await sql<{ processor_ref: string | null }>(
      'select processor_ref from dispute_files where dispute_id = $1 order by created_at, id',
      [dispute],
    )
  ).map((row) => row.processor_ref)

/** Looks after disputes that wait, as a minute later. */
async function aMinuteLater({ tenantId }: { tenantId: string }) {
  await sql(
    `update disputes set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
  await trigger('live')
}

test('a draft gives Stripe its files, the evidence names the same ones, each in its field', async () => {
  const { merchant, ref, id } = await disputed()
  const picture = png(64, 64)
  const file = (await addFile(merchant, id, picture)).body
  await draft(merchant, id, { files: { receipt: file.id } })
  await until(async () => (await disputeOf(merchant, id)).pending_action === null)
  const [fileRef] = await refsOf(id)
  expect(server.files.get(fileRef!)).toMatchObject({ type: 'png', purpose: 'dispute_evidence' })
  expect(Buffer.from(uploads()[0]!.fields['file[data]']!, 'latin1').equals(picture)).toBe(true)
  expect(server.disputes.get(ref)).toMatchObject({ status: 'needs_response', evidence: { receipt: fileRef } })

  const second = (await addFile(merchant, id)).body
  const files = { receipt: file.id, shipping_documentation: second.id }
  await evidence(merchant, id, { product_description: 'Coffee', files })
  await until(async () => (await disputeOf(merchant, id)).status === 'under_review')
  expect(server.disputes.get(ref)!.evidence).toMatchObject({
    product_description: 'Coffee',
    receipt: fileRef,
    shipping_documentation: (await refsOf(id))[1],
  })
  expect(uploads()).toHaveLength(2)
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('files that do not get through are given again, those that did are not; then the evidence goes', async () => {
  const { merchant, ref, id } = await disputed()
  const sent = [(await addFile(merchant, id)).body.id, (await addFile(merchant, id, png(32, 32))).body.id]
  const files = { receipt: sent[0], uncategorized_file: sent[1] }
  server.failNext(/files/, '500')
  await evidence(merchant, id, { files })
  await until(async () => uploads().length === 1)
  expect(await refsOf(id)).toEqual([null, null])
  await aMinuteLater(merchant)
  await until(async () => (await disputeOf(merchant, id)).status === 'under_review')
  expect(uploads()).toHaveLength(3)
  const [receipt, other] = await refsOf(id)
  expect(server.disputes.get(ref)!.evidence).toMatchObject({ receipt, uncategorized_file: other })

  // The bank asks again: what Stripe has is named, and not given again.
  server.moveDispute(ref, 'needs_response')
  await aMinuteLater(merchant)
  await evidence(merchant, id, { explanation: 'Once more.', files })
  await until(async () => (await disputeOf(merchant, id)).status === 'under_review')
  expect(uploads()).toHaveLength(3)
})

test('a file that Stripe does not take: nothing is sent to the bank, and other evidence can be', async () => {
  const { merchant, ref, id } = await disputed()
  const file = (await addFile(merchant, id)).body.id
  server.failNext(/files/, '400')
  await evidence(merchant, id, { files: { receipt: file } })
  await until(async () => (await disputeOf(merchant, id)).evidence_failure !== null)
  expect(await disputeOf(merchant, id)).toMatchObject({
    status: 'needs_response',
    evidence_failure: 'file_refused',
    pending_action: null,
  })
  expect(server.disputes.get(ref)).toMatchObject({ evidence_details: { submission_count: 0 } })
  await evidence(merchant, id, { explanation: 'Signed for.' })
  await until(async () => (await disputeOf(merchant, id)).status === 'under_review')
})
