import type * as z from 'zod'
import type { Settings } from '../../../src/env/settings.ts'
import { areaLimits } from '../../../src/generated/limits.ts'
import { metadataKeysMax, metadataLengthMax, pageMax } from '../../../src/http/schemas.ts'
import { ratePolicies } from '../../../src/http/stages/rate-limit.ts'
import { bodyBytesMax } from '../../../src/http/stages/validate.ts'
import { addDays, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { type ApiKeyRow, transferLimitOf } from '../../account/api-keys/api.ts'
import { type SpendLimit, spentOn } from '../../money/bank-orders/api-pure.ts'
import type { PolicyField } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule } from '../../money/payments/api-pure.ts'
import type { SettingsRow } from '../../money/payouts/api-pure.ts'
import type { WorkspaceLimits } from './contract.ts'

type Limit = z.output<typeof WorkspaceLimits>['limits'][number]
type Shown = Pick<Limit, 'name' | 'description' | 'unit'> &
  Partial<Limit> & { readonly amount: number | bigint }

const limit = ({ amount, ...more }: Shown): Limit => ({
  used: null,
  resets_on: null,
  currency: null,
  source: 'platform',
  ...more,
  value: amount.toString(),
})

export interface Known {
  readonly settings: Settings
  readonly now: Date
  readonly policy: readonly PolicyField[]
  readonly schedules: readonly FeeSchedule[]
  readonly key: ApiKeyRow
  readonly sums: Readonly<Record<SpendLimit['kind'], SpendLimit['sums']>>
  readonly payoutSettings: readonly SettingsRow[]
  /** How much there is of what is counted, by the limit's name. */
  readonly counted: Readonly<Record<string, number>>
}

export const limitsOf = (known: Known): Limit[] => [
  ...known.policy.flatMap(ofPolicy),
  ...known.schedules.flatMap(ofSchedule),
  ...ofKey(known),
  ...known.payoutSettings.map(ofPayouts),
  limit({
    name: 'bank_account_cool_down',
    description: 'How long nothing is paid out to a bank account after its verification.',
    amount: known.settings.payoutCoolDownHours,
    unit: 'hours',
  }),
  ...ofRequests,
  ...Object.entries(areaLimits).map(([name, [amount, unit, description]]) => {
    const used = known.counted[name]
    return limit({ name, description, amount, unit, ...(used !== undefined && { used: used.toString() }) })
  }),
]

/** By the last word of a field's path that is no currency and no term. Fields that are no number are capabilities, or rules. */
const policyFields: Readonly<Record<string, Pick<Limit, 'description' | 'unit'>>> = {
  'methods.amount_min': { description: 'The least amount of a payment by this method.', unit: 'minor_units' },
  'methods.amount_max': {
    description: 'The largest amount of a payment by this method.',
    unit: 'minor_units',
  },
  'methods.expires_days': { description: 'The calendar days in which the buyer may pay.', unit: 'days' },
  'msi.amount_min': {
    description: 'The least price that may be paid in so many months.',
    unit: 'minor_units',
  },
  'msi.markup_cap_bps': { description: 'The largest markup on installments.', unit: 'basis_points' },
  'refunds.window_days': {
    description: 'The days after a payment in which it can be refunded.',
    unit: 'days',
  },
}

function ofPolicy({ path, value, level }: PolicyField): Limit[] {
  const [group, ...rest] = path.split('.')
  const [word = '', last] = group === 'methods' ? rest.slice(1) : rest
  const field = policyFields[`${group}.${word}`]
  if (!field) return []
  const isAmount = field.unit === 'minor_units'
  const currency = isAmount ? (group === 'msi' ? 'mxn' : last!) : null
  const source = level === 'platform' ? level : 'policy'
  return [limit({ name: path, ...field, amount: BigInt(value as string | number), currency, source })]
}

function ofSchedule({ currency, reserve, refundOverdraftMinor }: FeeSchedule): Limit[] {
  const held = [
    limit({
      name: `reserve_rate.${currency}`,
      description: 'The part of each payment’s net that is held back.',
      amount: reserve.rateBps,
      unit: 'basis_points',
      source: 'reserve',
      currency,
    }),
    limit({
      name: `reserve_days.${currency}`,
      description: 'How long it is held back after the rest is available.',
      amount: reserve.days,
      unit: 'days',
      source: 'reserve',
      currency,
    }),
  ]
  return [
    ...(reserve.rateBps > 0 ? held : []),
    limit({
      name: `refund_overdraft.${currency}`,
      description: 'How far below zero refunds may bring the balance; beyond that they wait.',
      amount: refundOverdraftMinor,
      unit: 'minor_units',
      source: 'plan',
      currency,
    }),
  ]
}

function ofKey({ key, settings, sums, now }: Known): Limit[] {
  const { transferLimitPerDayMinor: transfers, refundLimitPerDayMinor: refunds } = settings
  const today = mexicoCityDate(now)
  const day = { unit: 'minor_units', resets_on: addDays(today, 1) } as const
  const currencies = [...new Set([...Object.keys(transfers), ...Object.keys(key.transferLimits)])].sort()
  return [
    ...currencies.map((currency) =>
      limit({
        ...day,
        name: `transfers_per_day.${currency}`,
        description: 'What this API key transfers in a day without approval.',
        amount: transferLimitOf(key, currency, transfers),
        used: spentOn(sums.transfers, currency, today).toString(),
        source: currency in key.transferLimits ? 'api_key' : 'platform',
        currency,
      }),
    ),
    ...Object.entries(refunds).map(([currency, amount]) =>
      limit({
        ...day,
        name: `refunds_to_accounts_per_day.${currency}`,
        description: 'What this API key refunds to CLABEs in a day without approval.',
        amount,
        used: spentOn(sums.refunds, currency, today).toString(),
        currency,
      }),
    ),
  ]
}

const ofPayouts = ({ currency, amountMinorMin }: SettingsRow): Limit =>
  limit({
    name: `payout_minimum.${currency}`,
    description: 'The least that is paid out.',
    amount: amountMinorMin,
    unit: 'minor_units',
    source: 'payout_settings',
    currency,
  })

const callers = {
  read: 'Reads by one credential.',
  write: 'Changes by one credential.',
  auth: 'Sign-ins and decisions of people, by one credential or address.',
  public: 'Requests to a buyer’s pages from one address.',
} as const

const ofRequests: readonly Limit[] = [
  ...Object.entries(callers).map(([name, description]) =>
    limit({
      name: `requests.${name}`,
      description,
      amount: ratePolicies[name as keyof typeof callers].limit,
      unit: 'requests_per_minute',
    }),
  ),
  limit({
    name: 'request_body',
    description: 'The body of a request, where its operation names no other size.',
    amount: bodyBytesMax,
    unit: 'bytes',
  }),
  limit({ name: 'page', description: 'The items of one page of a list.', amount: pageMax, unit: 'count' }),
  limit({
    name: 'metadata_keys',
    description: 'The keys of a resource’s metadata.',
    amount: metadataKeysMax,
    unit: 'count',
  }),
  limit({
    name: 'metadata_length',
    description: 'The metadata of a resource, written as JSON.',
    amount: metadataLengthMax,
    unit: 'characters',
  }),
]
