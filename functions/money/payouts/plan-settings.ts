import { payoutSettings } from '../../../drizzle/schema/payouts.ts'
import { addDays, type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { BankAccountRow } from '../bank-accounts/api-pure.ts'
import { type Interval, nextPayoutOn } from './plan-schedule.ts'
import { presentSettings } from './present.ts'
import type { SettingsRow } from './store.ts'

/** The currency of CLABEs: SPEI carries pesos and nothing else. */
const clabeCurrency = 'mxn'

export interface Wanted {
  readonly currency: string
  readonly interval: Interval
  readonly anchorDay: number | null
  readonly amountMinorMin: bigint
  readonly bankAccountId: string
}

/**
 * Sets when and where a currency is paid out, for the first time or again. Nothing is paid out before the cool-down of
 * the account, which began when it was verified.
 */
export function planSettings(
  before: SettingsRow | undefined,
  wanted: Wanted,
  account: BankAccountRow | undefined,
  { now, newId }: Clock,
):
  | Plan<ReturnType<typeof presentSettings>>
  | Refusal<
      'currency_unsupported' | 'parameter_invalid' | 'bank_account_not_found' | 'payout_account_not_verified'
    > {
  if (wanted.currency !== clabeCurrency)
    return refuse('currency_unsupported', {
      param: 'currency',
      message: `Payouts to a CLABE are in ${clabeCurrency}.`,
    })
  const misplaced = anchorMistake(wanted)
  if (misplaced) return refuse('parameter_invalid', { param: 'anchor_day', message: misplaced })
  const param = 'bank_account_id'
  if (!account) return refuse('bank_account_not_found', { param })
  if (account.status !== 'verified') return refuse('payout_account_not_verified', { param })
  const { tenantId, clabe, holder, coolDownEndsAt, status: accountStatus } = account
  const moves = before?.bankAccountId !== account.id
  const isSameRhythm = !moves && before.interval === wanted.interval && before.anchorDay === wanted.anchorDay
  // A due day stays set until its payout is made.
  const next = isSameRhythm
    ? before.nextPayoutOn
    : nextPayoutOn(wanted.interval, wanted.anchorDay, dayBefore(coolDownEndsAt, now))
  const set = { ...wanted, nextPayoutOn: next, updatedAt: now }
  const stored = before
    ? { ...before, ...set, version: before.version + 1 }
    : { tenantId, id: newId(), ...set, version: 1, createdAt: now }
  const row: SettingsRow = { ...stored, clabe, holder, coolDownEndsAt, accountStatus }
  const reply = presentSettings(row)
  const former = before ? presentSettings(before) : {}
  const about = { type: 'payout_settings', id: row.id }
  return {
    writes: [before ? change(payoutSettings, before, set) : insert(payoutSettings, stored)],
    events: [
      event(newId(), 'payout_settings.updated', about, reply, former),
      ...(moves ? [event(newId(), 'payout_settings.destination_changed', about, reply, former)] : []),
    ],
    reply,
    subjectId: row.id,
  }
}

/** The day after which the first payout may be: today, or the day before the one on which the cool-down ends. */
function dayBefore(coolDownEndsAt: Date | null, now: Date): IsoDate {
  const today = mexicoCityDate(now)
  if (coolDownEndsAt === null) return today
  const endsOn = mexicoCityDate(coolDownEndsAt)
  return endsOn > today ? addDays(endsOn, -1) : today
}

function anchorMistake({ interval, anchorDay }: Wanted): string | null {
  if (interval === 'weekly' && !within(anchorDay, 7))
    return 'anchor_day must be 1 (Monday) to 7 (Sunday) for weekly payouts.'
  if (interval === 'monthly' && !within(anchorDay, 31))
    return 'anchor_day must be 1 to 31 for monthly payouts.'
  if ((interval === 'daily' || interval === 'manual') && anchorDay !== null)
    return `anchor_day must be absent for ${interval} payouts.`
  return null
}

const within = (day: number | null, most: number) => day !== null && day >= 1 && day <= most
