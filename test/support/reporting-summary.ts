import { expect } from 'vitest'
import type { Merchant } from './merchant.ts'
import { getReport } from './reporting.ts'
import { adminSql, trigger } from './stack.ts'

export type Figures = Record<
  'amount_gross' | 'amount_refunds' | 'amount_disputes' | 'amount_fees' | 'amount_iva' | 'amount_net',
  string
> &
  Record<'payments_count' | 'refunds_count' | 'disputes_count', number>
export type Summary = Figures & {
  as_of: string
  begins_on: string
  ends_on: string
  groups: (Figures & { group: string | null })[]
  error?: { code: string; param: string | null }
}

export const summaryOf = async (merchant: Merchant, query = '') =>
  (await getReport<Summary>(merchant, `/summary?${query}`)).body

/** Runs of the jobs until all that a merchant's books have is counted: other files briefly hold transactions open. */
export async function counted(merchant: Merchant) {
  const [last] = await adminSql('sandbox')<{ at: Date }>(
    'select max(booked_at) as at from ledger_journals where tenant_id = $1',
    [merchant.tenantId],
  )
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        return (await summaryOf(merchant)).as_of > last!.at.toISOString()
      },
      { timeout: 120_000 },
    )
    .toBe(true)
}
