import { bankOf } from '../../../src/kernel/banks.ts'
import type { BankAccountRow } from './store.ts'

/** A bank account as the interface shows it: never with its number. */
export const presentBankAccount = (account: BankAccountRow) => ({
  id: account.id,
  object: 'bank_account' as const,
  status: account.status,
  clabe_last4: account.clabe.slice(-4),
  bank_name: bankOf(account.clabe)?.name ?? null,
  holder: account.holder,
  holder_matches_legal_name: account.holderMatches,
  verification: account.verification,
  rejection_code: account.rejectionCode,
  verified_at: account.verifiedAt?.toISOString() ?? null,
  cool_down_ends_at: account.coolDownEndsAt?.toISOString() ?? null,
  version: account.version,
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
})
