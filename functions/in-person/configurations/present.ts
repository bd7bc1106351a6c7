import { toMinorString } from '../../../src/kernel/money.ts'
import type { AllowanceRow, ConfigurationRow } from './store.ts'

/** What devices get of it. */
export const presentSaid = ({ tips, languages }: Pick<ConfigurationRow, 'tips' | 'languages'>) => ({
  tips: tips && {
    presets: tips.presets.map((preset) =>
      'bps' in preset ? { bps: preset.bps } : { amount: toMinorString(BigInt(preset.amount)) },
    ),
    allows_other: tips.allows_other,
    allows_none: tips.allows_none,
  },
  languages: [...languages],
})

/** A configuration of devices as the interface shows it. */
export const presentConfiguration = (row: ConfigurationRow) => ({
  id: row.id,
  object: 'terminal_configuration' as const,
  status: row.status,
  name: row.name,
  ...presentSaid(row),
  offline: {
    enabled: row.offlineEnabled,
    currency: row.currency,
    amount_max: toMinorString(row.amountMaxMinor),
    stored_amount_max: toMinorString(row.storedAmountMaxMinor),
    stored_hours_max: row.storedHoursMax,
  },
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** What a reader may store, as it gets it. */
export const presentAllowance = (allowance: AllowanceRow) => ({
  id: allowance.id,
  currency: allowance.currency,
  amount_max: toMinorString(allowance.amountMaxMinor),
  stored_amount_max: toMinorString(allowance.storedAmountMaxMinor),
  stored_hours_max: allowance.storedHoursMax,
})
