import { toMinorString } from '../../../src/kernel/money.ts'
import type { InPersonRow, NextActionRow, ReaderActionRow } from './store.ts'

const term = (months: number) => (months > 1 ? { months } : null)

export const presentAction = (action: ReaderActionRow) => ({
  id: action.id,
  object: 'reader_action' as const,
  type: action.type,
  status: action.status,
  reader_id: action.readerId,
  in_person_payment_id: action.inPersonPaymentId,
  payment_id: action.paymentId,
  failure_code: action.failureCode,
  step: action.step,
  reported_as: action.reportedAs,
  expires_at: action.expiresAt.toISOString(),
  ended_at: action.endedAt?.toISOString() ?? null,
  version: action.version,
  created_at: action.createdAt.toISOString(),
  updated_at: action.updatedAt.toISOString(),
})

/** What a reader must know of its action. */
export const presentOrder = (action: NextActionRow) => ({
  id: action.id,
  object: 'device_action' as const,
  type: action.type,
  status: action.status,
  amount: toMinorString(action.amountMinor),
  currency: action.currency,
  installments: term(action.installmentMonths),
  description: action.description,
  expires_at: action.expiresAt.toISOString(),
})

export const presentInPerson = (sale: InPersonRow) => ({
  id: sale.id,
  object: 'in_person_payment' as const,
  public_id: sale.publicId,
  device_id: sale.deviceId,
  location_id: sale.locationId,
  amount: toMinorString(sale.amountMinor),
  currency: sale.currency,
  installments: term(sale.installmentMonths),
  description: sale.description,
  client_reference_id: sale.clientReferenceId,
  metadata: sale.metadata,
  policy_version: String(sale.policyVersion),
  version: sale.version,
  created_at: sale.createdAt.toISOString(),
  updated_at: sale.updatedAt.toISOString(),
})
