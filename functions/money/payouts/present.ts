import type { entryKinds } from '../../../drizzle/schema/payouts.ts'
import { bankOf } from '../../../src/kernel/banks.ts'
import { cepOfSent } from '../../../src/kernel/cep.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { ActivityRow, EntryRow, PayoutRow, SettingsRow, Sold } from './store.ts'

/** All that is shown of an account’s number. */
const accountOf = (clabe: string) => ({
  clabe_last4: clabe.slice(-4),
  bank_name: bankOf(clabe)?.name ?? null,
})

export const presentPayout = (payout: PayoutRow) => ({
  id: payout.id,
  object: 'payout' as const,
  status: payout.status,
  amount: toMinorString(payout.amountMinor),
  amount_gross: toMinorString(payout.grossMinor),
  amount_fee: toMinorString(payout.feeMinor),
  currency: payout.currency,
  entries_count: payout.entriesCount,
  destination:
    payout.destinationClabe === null
      ? { clabe_last4: payout.destinationLast4 ?? '', bank_name: payout.destinationBank }
      : accountOf(payout.destinationClabe),
  reconciliation: payout.reconciliation,
  processor_ref: payout.processorRef?.split('@')[0] ?? null,
  clave_rastreo: payout.claveRastreo,
  cep: cepOfSent(
    payout.claveRastreo,
    payout.destinationClabe,
    payout.status === 'paid' ? payout.resolvedAt : null,
  ),
  return_clave_rastreo: payout.returnClaveRastreo,
  failure_code: payout.failureCode,
  arrives_on: payout.arrivesOn,
  resolved_at: payout.resolvedAt?.toISOString() ?? null,
  created_at: payout.createdAt.toISOString(),
  updated_at: payout.updatedAt.toISOString(),
})

/** The payment behind a movement, and what was sold. */
const presentSold = ({ paymentId, clientReferenceId, originType, originId }: Sold) => ({
  payment_id: paymentId,
  client_reference_id: clientReferenceId,
  checkout_session_id: originType === 'checkout_session' ? originId : null,
  payment_link_id: originType === 'payment_link' ? originId : null,
})

export const presentEntry = (entry: EntryRow & Sold) => ({
  id: entry.id,
  object: 'payout_entry' as const,
  kind: entry.kind,
  source: entry.sourceType && { type: entry.sourceType, id: entry.sourceId! },
  ...presentSold(entry),
  balance_activity_id: entry.activityId,
  processor_ref: entry.processorRef,
  processor_type: entry.processorType,
  description: entry.description,
  amount_gross: toMinorString(entry.grossMinor),
  amount_fee: toMinorString(entry.feeMinor),
  amount_net: toMinorString(entry.netMinor),
  currency: entry.currency,
  created_at: entry.createdAt.toISOString(),
})

export const presentActivity = (activity: ActivityRow & Sold) => ({
  id: activity.id,
  object: 'balance_activity' as const,
  kind: kindOf(activity),
  source: { type: activity.sourceType, id: activity.sourceId },
  ...presentSold(activity),
  amount: toMinorString(activity.amountMinor),
  currency: activity.currency,
  payout_id: activity.payoutId,
  created_at: activity.createdAt.toISOString(),
})

interface Movement {
  readonly sourceType: string
  readonly entryKind: string
}

/** The API's name for what moved the available balance; the ledger's own name where no other is defined. */
export function kindOf(activity: Movement) {
  return ledgerKind(activity) as (typeof entryKinds)[number]
}

function ledgerKind({ sourceType, entryKind }: Movement): string {
  if (sourceType === 'payment') return entryKind === 'release' ? 'payment' : entryKind
  if (sourceType === 'dispute') return `dispute_${entryKind}`
  return sourceType === 'incoming_transfer' ? sourceType : entryKind
}

export const presentSettings = (settings: SettingsRow) => ({
  id: settings.id,
  object: 'payout_settings' as const,
  currency: settings.currency,
  interval: settings.interval,
  anchor_day: settings.anchorDay,
  amount_min: toMinorString(settings.amountMinorMin),
  bank_account_id: settings.bankAccountId,
  destination: { ...accountOf(settings.clabe), status: settings.accountStatus },
  cool_down_ends_at: settings.coolDownEndsAt?.toISOString() ?? null,
  next_payout_on: settings.nextPayoutOn,
  version: settings.version,
  created_at: settings.createdAt.toISOString(),
  updated_at: settings.updatedAt.toISOString(),
})
