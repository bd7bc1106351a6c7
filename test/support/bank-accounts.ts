import { randomInt, randomUUID } from 'node:crypto'
import { clabeWithCheckDigit } from '../../src/kernel/clabe.ts'
import { type Customer, newProof } from './customer.ts'
import { call, type Merchant, type Reply } from './merchant.ts'
import { adminSql } from './stack.ts'

/** A merchant's account at which the simulated bank does what its last digits say; any other number is paid. */
export const accountOf = (digits: string) => clabeWithCheckDigit(`012180${digits.padStart(11, '0')}`)

export type BankAccount = {
  id: string
  status: string
  clabe_last4: string
  bank_name: string | null
  holder: string
  holder_matches_legal_name: boolean | null
  verification: string
  rejection_code: string | null
  cool_down_ends_at: string | null
  version: number
}

const path = '/v1/workspace/bank-accounts'

/** A verified account whose cool-down is over, written straight into the database. */
export async function newBankAccount(
  { tenantId, environment = 'sandbox' }: Pick<Merchant, 'tenantId'> & Partial<Pick<Merchant, 'environment'>>,
  { clabe = accountOf(String(randomInt(1_000, 1_000_000))), holder = 'Café Azul', status = 'verified' } = {},
): Promise<{ id: string; clabe: string; holder: string }> {
  const id = randomUUID()
  await adminSql(environment)(
    `insert into bank_accounts (tenant_id, id, status, clabe, holder, verification, verified_at, checks_count, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, 'deposit', now(), 0, date_trunc('milliseconds', clock_timestamp()), now())`,
    [tenantId, id, status, clabe, holder],
  )
  return { id, clabe, holder }
}

/** Sends a change of bank accounts as the customer, with a proof for exactly it, or for `proven`. */
async function change(
  customer: Customer,
  merchant: Merchant,
  { at, action, body, params }: { at: string; action: string; body: object; params: Record<string, string> },
  key: string = randomUUID(),
): Promise<Reply<BankAccount>> {
  const proof = await newProof(customer, merchant, { action, scope: 'workspace:write', key, params })
  return call<BankAccount>('POST', path + at, {
    environment: merchant.environment,
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...body },
  })
}

export const addAccount = (
  customer: Customer,
  merchant: Merchant,
  params: { clabe: string; holder: string },
  key?: string,
) => change(customer, merchant, { at: '', action: 'bank_account.create', body: params, params }, key)

export const disableAccount = (customer: Customer, merchant: Merchant, id: string) =>
  change(customer, merchant, {
    at: `/${id}/disable`,
    action: 'bank_account.disable',
    body: {},
    params: { bank_account_id: id },
  })

export const accountNow = async ({ apiKey, environment }: Merchant, id: string): Promise<BankAccount> =>
  (await call<BankAccount>('GET', `${path}/${id}`, { bearer: apiKey, environment })).body
