import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { clabeWithCheckDigit } from '../../src/kernel/clabe.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { type Customer, join, newCustomer, newProof } from './customer.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay, type Reply } from './merchant.ts'
import { adminSql, trigger } from './stack.ts'

export type Transfer = {
  id: string
  status: string
  amount: string
  currency: string
  destination: Record<string, string>
  clave_rastreo: string | null
  return_clave_rastreo: string | null
  failure_code: string | null
  approved_at: string | null
  resolved_at: string | null
  error?: { code: string; param: string | null }
}

const path = '/v1/payment-operations/transfers'

/** A CLABE by its account digits: `bankAccounts` says what the simulated bank does with it. */
export const clabeOf = (account = '1'): string => clabeWithCheckDigit(`646180${account.padStart(11, '0')}`)
export const toClabe = (account = '1') => ({ type: 'clabe', clabe: clabeOf(account), holder: 'Ana Ruiz' })
export const toTenant = ({ tenantId }: { tenantId: string }) => ({ type: 'tenant', tenant_id: tenantId })

export const transfer = (
  merchant: Pick<Merchant, 'apiKey' | 'environment'>,
  fields: Record<string, unknown> = {},
  key: string = randomUUID(),
): Promise<Reply<Transfer>> =>
  call('POST', path, {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    headers: { 'idempotency-key': key },
    body: { amount: '1000', currency: 'mxn', destination: toClabe(), concept: 'Factura 12', ...fields },
  })

export const cancelTransfer = (merchant: Pick<Merchant, 'apiKey'>, id: string, key: string = randomUUID()) =>
  call<Transfer>('POST', `${path}/${id}/cancel`, {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': key },
  })

export const transferOf = async (merchant: Pick<Merchant, 'apiKey'>, id: string): Promise<Transfer> =>
  (await call<Transfer>('GET', `${path}/${id}`, { bearer: merchant.apiKey })).body

/** The orders sent after a reply end within a moment. */
export const isNow = (merchant: Merchant, id: string, status: string): Promise<void> =>
  expect.poll(async () => (await transferOf(merchant, id)).status).toBe(status)

export const statusesOf = async (tenantId: string): Promise<Record<string, number>> => {
  const rows = await adminSql('sandbox')<{ status: string; n: number }>(
    'select status, count(*)::int n from transfers where tenant_id = $1 group by 1 order by 1',
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** Runs the reconciler, as the coming minutes would, until nothing of the merchant is on its way any more. */
export async function settleTransfers(tenantId: string, rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const waiting = await adminSql('sandbox')(
      `update transfers set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and status in ('pending', 'processing') and next_check_at is not null returning id`,
      [tenantId],
    )
    if (waiting.length === 0) return
    await trigger('sandbox')
  }
}

/** The reconciler looks once at everything of the merchant, including what was paid. */
export async function pollOnce(tenantId: string): Promise<void> {
  await adminSql('sandbox')(
    `update transfers set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
  await trigger('sandbox')
}

/** A merchant whose buyer paid by card and whose funds have become available: 1,200.00 less the fee, 1,149.89. */
export async function newFunded(): Promise<Merchant> {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const { status, html } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(status, html).toBe(303)
  const clock = await call('POST', '/v1/sandbox/clock', {
    bearer: merchant.apiKey,
    body: { advance: 'P10D' },
  })
  expect(clock.status, clock.text).toBe(200)
  await trigger('sandbox')
  return merchant
}

/** Money from another workspace, written straight into the books: exactly this balance, in a moment. */
export async function endow(
  { tenantId, environment = 'sandbox' }: Pick<Merchant, 'tenantId'> & Partial<Merchant>,
  amountMinor: bigint,
  currency = 'mxn',
): Promise<void> {
  const [journal, incoming] = [uuidv7(Date.now()), uuidv7(Date.now())]
  await adminSql(environment)(
    `with incoming as (
       insert into incoming_transfers (tenant_id, id, source_transfer_id, source_tenant_id, amount_minor, currency,
         concept, created_at)
       values ($1, $2, gen_random_uuid(), 'tn_elsewhere', $4, $5, 'Gift', date_trunc('milliseconds', clock_timestamp()))),
     journal as (
       insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
       values ($1, $3, 'incoming_transfer', $2, 'incoming', $5, date_trunc('milliseconds', clock_timestamp())))
     select 1`,
    [tenantId, incoming, journal, amountMinor.toString(), currency],
  )
  await adminSql(environment)(
    `insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     values ($1, $2, 1, $4, 'merchant_available', $3), ($1, $2, 2, $4, 'processor_clearing', -$3::bigint)`,
    [tenantId, journal, amountMinor.toString(), currency],
  )
}

/** Everything that this merchant's key sends waits for approval. */
export const allWaits = ({ tenantId, keyId }: Merchant) =>
  adminSql('sandbox')(
    `update api_keys set transfer_limits = '{"mxn": "0"}', version = version + 1 where tenant_id = $1 and id = $2`,
    [tenantId, keyId],
  )

let approver: Promise<Customer> | undefined
/** A customer with the right to approve. Signing up takes a moment: one for the whole file, unless it failed. */
export async function approverOf(
  merchant: Merchant,
  role: 'owner' | 'admin' | 'member' = 'owner',
): Promise<Customer> {
  approver ??= newCustomer().catch((error: unknown) => {
    approver = undefined
    throw error
  })
  await join(await approver, merchant, role)
  return approver
}

export type Seen = { id: string; amount: string; currency: string }

export const proveApproval = (
  customer: Customer,
  merchant: Merchant,
  { id, amount, currency }: Seen,
  key: string,
  proved: Partial<Seen> & { transfer_id?: string } = {},
): Promise<string> =>
  newProof(customer, merchant, {
    action: 'transfer.approve',
    scope: 'transfers:write',
    key,
    params: { transfer_id: id, amount, currency, ...proved },
  })

export const sendApproval = (
  customer: Customer,
  merchant: Merchant,
  { id, amount, currency }: Seen,
  key: string,
  proof: string,
): Promise<Reply<Transfer>> =>
  call('POST', `${path}/${id}/approve`, {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, amount, currency },
  })

export async function approve(customer: Customer, merchant: Merchant, seen: Seen): Promise<Reply<Transfer>> {
  const key = randomUUID()
  return sendApproval(customer, merchant, seen, key, await proveApproval(customer, merchant, seen, key))
}

export const reject = (customer: Customer, merchant: Merchant, id: string): Promise<Reply<Transfer>> =>
  call('POST', `${path}/${id}/reject`, { bearer: customer.token, body: { tenant_id: merchant.tenantId } })

export type Incoming = { id: string; amount: string; source: { tenant_id: string; transfer_id: string } }

export const incomingOf = async (merchant: Pick<Merchant, 'apiKey'>): Promise<Incoming[]> =>
  (
    await call<{ data: Incoming[] }>('GET', '/v1/payment-operations/incoming-transfers?limit=100', {
      bearer: merchant.apiKey,
    })
  ).body.data

/** What the simulated bank did with a merchant's transfers, minor units paid and not sent back. */
export const paidAtBank = async (tenantId: string): Promise<bigint> => {
  const [row] = await adminSql('sandbox')<{ sum: string }>(
    `select coalesce(sum(amount_minor), 0)::text as sum from simulator.bank_orders
     where state = 'paid' and reference in (select id from transfers where tenant_id = $1)`,
    [tenantId],
  )
  return BigInt(row!.sum)
}

/** How many replies there were of each kind: the status of a transfer, or the code of an error. */
export function tallyOf(replies: readonly Reply<Transfer>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const told = `${status} ${body.error?.code ?? body.status}`
    counts[told] = (counts[told] ?? 0) + 1
  }
  return counts
}
