import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { EvidenceFile } from '../../../src/processors/claims.ts'
import { connect } from '../../../src/processors/stripe/client.ts'
import { stripe } from '../../../src/processors/stripe/index.ts'
import { fileFields } from '../../support/stripe-files.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let account = { name: 'files-test', id: null, tenantId: null, secretKey, apiBase: '', timeoutMs: 10_000 }
beforeAll(async () => {
  account = { ...account, apiBase: await server.start() }
})
afterAll(() => server.stop())

const rail = () => {
  const { createAttempt, disputes } = stripe(async () => account)
  return { createAttempt, ...disputes! }
}

/** A dispute of a card payment. */
async function disputed(): Promise<string> {
  const reference = uuidv7(Date.now())
  await rail().createAttempt({
    method: 'card',
    reference,
    amountMinor: 120_000n,
    currency: 'mxn',
    merchantName: 'Café de Olla',
    accountId: null,
    token: 'pm_approve',
    installmentMonths: 1,
    capture: 'automatic',
    threeDs: 'automatic',
    buyer: {},
    returnUrl: 'https://pay.spindle.example/back',
  })
  return server.dispute(server.intentFor(reference)!.id, 'needs_response').id
}

/** Every byte that there is behind the first ones, over and over. */
function bytesOf(head: string, length = 256) {
  const bytes = new Uint8Array(head.length + length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = at < head.length ? head.charCodeAt(at) : at
  return bytes
}
const file = (head: string, contentType: EvidenceFile['contentType'], length?: number): EvidenceFile => ({
  id: uuidv7(Date.now()),
  contentType,
  bytes: bytesOf(head, length),
})
const pdf = (length?: number) => file('%PDF-1.7', 'application/pdf', length)
const refOf = async (id: string, sent: EvidenceFile) => {
  const answer = await rail().uploadFile(id, sent)
  return typeof answer === 'string' ? answer : answer.fileRef
}

test.each([
  [pdf(), 'pdf'],
  [file('\x89PNG\r\n\x1a\n', 'image/png'), 'png'],
  [file('\xff\xd8\xff', 'image/jpeg'), 'jpg'],
] as const)('a file comes whole, for evidence, by an id of Stripe’s: %#', async (sent, type) => {
  const ref = await refOf('dp_1', sent)
  expect(server.files.get(ref)).toMatchObject({
    type,
    size: sent.bytes.length,
    filename: `${sent.id}.${type}`,
    purpose: 'dispute_evidence',
  })
  const { path, fields, key } = server.seen.at(-1)!
  expect(path).toBe('/v1/files')
  expect(Buffer.from(fields['file[data]']!, 'latin1').equals(sent.bytes)).toBe(true)
  expect(key).toMatch(`${sent.id}:file:`)
  expect(server.complaints).toEqual([])
})

test('in production files go to Stripe’s address for files', () => {
  const { resolveBaseAddress } = connect({ ...account, apiBase: null }) as unknown as {
    resolveBaseAddress: (name: string) => string
  }
  const library = connect({ ...account, apiBase: null })
  expect(resolveBaseAddress.call(library, 'files')).toBe('files.stripe.com')
})

test('evidence names a file in each of Stripe’s fields, beside texts of the same name', async () => {
  const id = await disputed()
  const { draftEvidence } = rail()
  const files = Object.fromEntries(
    await Promise.all(fileFields.map(async (field) => [field, await refOf(id, pdf())] as const)),
  )
  const texts = { customer_communication: 'We wrote on 14 June.', product_description: 'Coffee' }
  expect(await draftEvidence(id, texts, files)).toMatchObject({ state: 'needs_response' })
  expect(server.disputes.get(id)!.evidence).toMatchObject({
    ...files,
    product_description: 'Coffee',
    uncategorized_text: 'customer_communication: We wrote on 14 June.',
  })
  expect(server.complaints).toEqual([])
})

test('what Stripe does not take is refused; without an answer nothing is known', async () => {
  const id = await disputed()
  const { uploadFile, submitEvidence } = rail()
  expect(await uploadFile(id, file('GIF89a', 'image/png'))).toBe('refused')
  expect(await uploadFile(id, pdf(5_000_000))).toBe('refused')
  for (const fault of ['500', 'cut_after', '401'] as const) {
    server.failNext(/files/, fault)
    expect(await uploadFile(id, pdf())).toBe('unknown')
  }
  expect(await submitEvidence(id, {}, { receipt: 'file_none' })).toBe('refused')
  const large = await refOf(id, pdf(2_300_000))
  expect(await submitEvidence(id, {}, { receipt: large, refund_policy: large })).toBe('refused')
  expect(await submitEvidence(id, {}, { receipt: large })).toMatchObject({ state: 'under_review' })
})

test('files that do not get through keep no charge from being sent', async () => {
  const { uploadFile } = rail()
  for (let sent = 0; sent < 8; sent++) {
    server.failNext(/files/, 'cut')
    expect(await uploadFile('dp_1', pdf())).toBe('unknown')
  }
  const before = server.seen.length
  expect(await uploadFile('dp_1', pdf())).toBe('unknown')
  expect(server.seen).toHaveLength(before)
  const id = await disputed()
  expect(server.disputes.get(id)).toMatchObject({ status: 'needs_response' })
})
