import { expect } from 'vitest'
import { call, type Merchant, type Reply } from './merchant.ts'
import { adminSql, trigger } from './stack.ts'

/** The sandbox's fee for a dispute, with IVA: nothing once it is won. */
export const disputeFeeMinor = 17_400n

export type Dispute = {
  id: string
  payment_id: string
  status: string
  amount: string
  amount_held: string
  amount_uncovered: string
  reason: string
  evidence: Record<string, string>
  evidence_files: Record<string, string>
  evidence_due_by: string | null
  evidence_submitted_at: string | null
  pending_action: string | null
  evidence_failure: string | null
  resolved_at: string | null
}

/** A buyer disputes a payment: all of it, or what `fields` say. */
export const dispute = (
  merchant: Merchant,
  paymentId: string,
  fields: { amount?: string; reason?: string; inquiry?: boolean } = {},
  headers?: Record<string, string>,
): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', '/v1/sandbox/disputes', {
    bearer: merchant.apiKey,
    body: { payment_id: paymentId, ...fields },
    ...(headers ? { headers } : {}),
  })

export const resolve = (merchant: Merchant, id: string, outcome: 'won' | 'lost'): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `/v1/sandbox/disputes/${id}/resolve`, {
    bearer: merchant.apiKey,
    body: { outcome },
  })

/** The bank lets an inquiry rest, or disputes the payment after all. */
export const endInquiry = (
  merchant: Merchant,
  id: string,
  outcome: 'closed' | 'disputed',
): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `/v1/sandbox/disputes/${id}/inquiry`, { bearer: merchant.apiKey, body: { outcome } })

/** The bank reconsiders its decision. */
export const reconsider = (merchant: Merchant, id: string, status: string): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `/v1/sandbox/disputes/${id}/reconsider`, {
    bearer: merchant.apiKey,
    body: { status },
  })

export type FraudWarning = { id: string; payment_id: string; actionable: boolean; fraud_type: string }

/** The buyer's bank reports a payment as fraud. */
export const reportFraud = (
  merchant: Merchant,
  paymentId: string,
  headers?: Record<string, string>,
): Promise<Reply<FraudWarning>> =>
  call<FraudWarning>('POST', '/v1/sandbox/fraud-warnings', {
    bearer: merchant.apiKey,
    body: { payment_id: paymentId },
    ...(headers ? { headers } : {}),
  })

export const fraudWarningsOf = async (merchant: Merchant, query = ''): Promise<FraudWarning[]> =>
  (
    await call<{ data: FraudWarning[] }>('GET', `/v1/payment-operations/fraud-warnings${query}`, {
      bearer: merchant.apiKey,
    })
  ).body.data

const path = '/v1/payment-operations/disputes'

export const disputeOf = async (merchant: Merchant, id: string): Promise<Dispute> =>
  (
    await call<Dispute>('GET', `${path}/${id}`, {
      bearer: merchant.apiKey,
      environment: merchant.environment,
    })
  ).body

export const disputesOf = async (merchant: Merchant, query = ''): Promise<Dispute[]> =>
  (await call<{ data: Dispute[] }>('GET', `${path}${query}`, { bearer: merchant.apiKey })).body.data

export const evidence = (
  merchant: Merchant,
  id: string,
  body: Record<string, unknown> = { explanation: 'Picked up and signed for.', receipt_number: 'R-1088' },
  headers?: Record<string, string>,
): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `${path}/${id}/evidence`, {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    body,
    ...(headers ? { headers } : {}),
  })

/** Keeps evidence as a draft. */
export const draft = (
  merchant: Merchant,
  id: string,
  body: Record<string, unknown> = { explanation: 'Not finished.' },
): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `${path}/${id}/draft`, {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    body,
  })

/** The merchant gives in. */
export const accept = (
  merchant: Merchant,
  id: string,
  headers?: Record<string, string>,
): Promise<Reply<Dispute>> =>
  call<Dispute>('POST', `${path}/${id}/accept`, {
    bearer: merchant.apiKey,
    ...(headers ? { headers } : {}),
  })

export const disputeIs = (merchant: Merchant, id: string, status: string): Promise<void> =>
  expect.poll(async () => (await disputeOf(merchant, id)).status).toBe(status)

/** Runs the reconciler over every dispute of the merchant that it still looks at, as over the coming days. */
export async function pollDisputes(tenantId: string, rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await adminSql('sandbox')(
      `update disputes set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and next_check_at is not null`,
      [tenantId],
    )
    await trigger('sandbox')
  }
}

/** The dispute in the bank's record. */
export const atBank = (disputeId: string, set: string): Promise<unknown> =>
  adminSql('sandbox')(
    `update simulator.disputes set ${set} where dispute_ref = (select processor_ref from disputes where id = $1)`,
    [disputeId],
  )

export type DisputeFile = {
  id: string
  dispute_id: string
  status: string
  name: string
  content_type: string
  bytes: number
  kept_until: string | null
}

const filesPath = '/v1/payment-operations/dispute-files'

/** A PDF of so many bytes. */
export const pdf = (bytes = 64): Buffer => Buffer.from('%PDF-1.7\n'.padEnd(bytes, 'x'))

/** Uploads a file for a dispute's evidence. */
export const addFile = (
  merchant: Merchant,
  id: string,
  content: Buffer = pdf(),
  headers?: Record<string, string>,
): Promise<Reply<DisputeFile>> =>
  call<DisputeFile>('POST', filesPath, {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    body: { dispute_id: id, name: 'Recibo.pdf', content: content.toString('base64') },
    ...(headers ? { headers } : {}),
  })

export const fileOf = (merchant: Merchant, id: string): Promise<Reply<DisputeFile>> =>
  call<DisputeFile>('GET', `${filesPath}/${id}`, { bearer: merchant.apiKey })

export const filesOf = async (merchant: Merchant, query = ''): Promise<DisputeFile[]> =>
  (await call<{ data: DisputeFile[] }>('GET', `${filesPath}${query}`, { bearer: merchant.apiKey })).body.data
