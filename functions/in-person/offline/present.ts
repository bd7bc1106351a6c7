import { toMinorString } from '../../../src/kernel/money.ts'
import type { unrecorded } from './contract.ts'
import type { OfflineRow } from './store.ts'

/** What nothing was recorded of: the reader keeps it. */
export interface Unrecorded {
  readonly devicePaymentId: string
  readonly status: 'not_recorded'
  readonly refusalCode: (typeof unrecorded)[number]
  readonly id: null
}

/** What a reader must know of what it has forwarded. */
export const presentResult = (row: OfflineRow | Unrecorded) => ({
  id: row.devicePaymentId,
  status: row.status,
  refusal_code: row.refusalCode,
  offline_payment_id: row.id,
})

export const presentOffline = (row: OfflineRow) => ({
  id: row.id,
  object: 'offline_payment' as const,
  status: row.status,
  refusal_code: row.refusalCode,
  device_id: row.deviceId,
  location_id: row.locationId,
  device_payment_id: row.devicePaymentId,
  allowance_id: row.allowanceId,
  sequence: row.sequence,
  amount: toMinorString(row.amountMinor),
  amount_tip: toMinorString(row.tipMinor),
  currency: row.currency,
  taken_at: row.takenAt.toISOString(),
  forwarded_at: row.createdAt.toISOString(),
  in_person_payment_id: row.inPersonPaymentId,
  payment_id: row.paymentId,
  loss:
    row.lossReason === null
      ? null
      : {
          reason: row.lossReason,
          amount: toMinorString(row.amountMinor),
          booked_at: row.lostAt!.toISOString(),
        },
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
