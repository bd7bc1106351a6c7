import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { isPushMethod, type Method } from '../../../src/kernel/payment-methods.ts'
import { currentSchedule, requireProcessor } from '../payments/api.ts'
import { type FeeSchedule, feesOf, type InstallmentOffer } from '../payments/api-pure.ts'
import * as contracts from './contract.ts'
import { evaluate, type Reason } from './evaluate.ts'
import { platformNow, statesNow } from './governing.ts'
import { planUpdate } from './plan.ts'
import { effectiveOf, levelsOf } from './policy.ts'
import { presentPolicy, presentVersion } from './present.ts'
import { currentPolicy, locationById, versionById, versionsPage } from './store.ts'

const getPolicy = operation(contracts.get, async (call) => {
  const { location_id: locationId = null } = call.query
  const [[policy], [location]] = await call.readAll(...levelAt(locationId))
  if (locationId && !location) return call.fail('location_not_found', { param: 'location_id' })
  return presentPolicy(policy!, platformNow(call.services, call.now), locationId)
})

const levelAt = (locationId: string | null) =>
  [currentPolicy(locationId ? { locationId } : {}), locationById({ id: locationId })] as const

const updatePolicy = operation(
  contracts.update,
  async (call) => {
    const { location_id: locationId, settings, starts_at, ends_at, replaces_planned } = call.body
    const [[[policy], [location]], author] = await Promise.all([
      call.readAll(...levelAt(locationId)),
      call.session(),
    ])
    if (locationId && !location) return call.fail('location_not_found', { param: 'location_id' })
    if (location?.status === 'archived') return call.fail('location_archived', { param: 'location_id' })
    const platform = platformNow(call.services, call.now)
    const wanted = {
      locationId,
      settings,
      author,
      from: starts_at === null ? null : new Date(starts_at),
      until: ends_at === null ? null : new Date(ends_at),
      replacesPlanned: replaces_planned,
    }
    return call.publish(planUpdate(policy!, wanted, platform, call))
  },
  ({ body: { location_id, settings, starts_at, ends_at, replaces_planned } }) => ({
    location_id: location_id ?? null,
    settings,
    ...(starts_at ? { starts_at } : {}),
    ...(ends_at ? { ends_at } : {}),
    ...(replaces_planned ? { replaces_planned } : {}),
  }),
)

const listVersions = listOperation(contracts.listVersions, versionsPage, presentVersion)

const getVersion = getOperation(contracts.getVersion, versionById, presentVersion)

const evaluatePolicy = operation(contracts.evaluation, async (call) => {
  const { body, now, services } = call
  const { location_id: locationId = null, method, currency, months, card } = body
  const processor = requireProcessor(services)
  const [[policy], [location]] = await call.readAll(...levelAt(locationId))
  if (locationId && !location) return call.fail('location_not_found', { param: 'location_id' })
  const levels = levelsOf(platformNow(services, now), policy!, locationId)
  const effective = effectiveOf(...levels.map(([, said]) => said))
  const schedule = currentSchedule(services.settings, now, currency)
  const isCard = !isPushMethod(method)
  const asked = months === undefined ? (isCard ? (effective.msi?.terms ?? []) : []) : [months]
  const amountMinor = BigInt(body.amount)
  const states = statesNow(services, policy!)
  const { reasons, offers, needsThreeDs } = evaluate({ ...effective, states }, schedule, {
    amountMinor,
    currency,
    method,
    captureMethod: body.capture_method,
    months: asked.filter((term) => term > 1),
    pricing: {
      feeAllocation: body.installment_pricing.fee_allocation,
      merchantMarkupBps: body.installment_pricing.merchant_markup_bps,
    },
    eligible: (card && processor.termsOfBin?.(card.bin, card.funding)) ?? null,
  })
  // Of all terms those that do not fit are left out; one that is asked for is refused, or not confirmed.
  const against: Pick<Reason, 'code' | 'field' | 'message'>[] = reasons.filter(
    (reason) => reason.months === null || months !== undefined,
  )
  if (against.length === 0 && months !== undefined && months > 1 && offers.length === 0)
    against.push({
      code: 'installments_unavailable',
      field: null,
      message: 'This BIN does not say that the card has this term: its buyer sees it with the card.',
    })
  const atOnce = {
    months: 1,
    perMonthMinor: amountMinor,
    firstPaymentMinor: amountMinor,
    buyerTotalMinor: amountMinor,
  }
  const all = against.length > 0 ? [] : [...(months === undefined || months === 1 ? [atOnce] : []), ...offers]
  return {
    object: 'payment_policy_evaluation' as const,
    allowed: against.length === 0,
    reasons: against.map(({ code, field, message }) => ({ code, field, message })),
    offers: all.map((offer) => presentOffer(offer, method, schedule!)),
    three_ds: needsThreeDs ? ('required' as const) : ('automatic' as const),
    version: policy!.policyVersion,
  }
})

function presentOffer(offer: InstallmentOffer, method: Method, schedule: FeeSchedule) {
  const { months, perMonthMinor, firstPaymentMinor, buyerTotalMinor } = offer
  const { netMinor } = feesOf({ method, amountMinor: buyerTotalMinor, months, schedule })
  return {
    months,
    per_month: toMinorString(perMonthMinor),
    first_payment: toMinorString(firstPaymentMinor),
    buyer_total: toMinorString(buyerTotalMinor),
    merchant_fee_estimate: toMinorString(buyerTotalMinor - netMinor),
  }
}

export const operations = [getPolicy, updatePolicy, listVersions, getVersion, evaluatePolicy]
