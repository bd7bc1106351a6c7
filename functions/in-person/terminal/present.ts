import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { type ConfigurationRow, presentSaid } from '../configurations/api-pure.ts'
import type { InPersonStatus } from './lifecycle.ts'
import type { NextActionRow, ReaderActionRow, TakenRow } from './store.ts'

export const term = (months: number) => (months > 1 ? { months } : null)

const tipOf = ({ offers, chosen, tipMinor }: ReaderActionRow) =>
  offers && {
    ...offers,
    presets: offers.presets.map(({ bps, amount }) => ({ bps, amount })),
    chosen: chosen && { kind: chosen, amount: toMinorString(tipMinor!) },
  }

const cartOf = ({ cart }: ReaderActionRow) =>
  cart && {
    ...cart,
    line_items: cart.line_items.map(({ name, quantity, amount_total }) => ({ name, quantity, amount_total })),
  }

/** What is asked beside a payment. */
const inputsOf = (action: ReaderActionRow) => ({
  tip: tipOf(action),
  inputs:
    action.inputs?.map(({ type, title, description, required, choices }) => ({
      type,
      title,
      description,
      required,
      choices: choices?.map(({ id, text }) => ({ id, text })) ?? null,
    })) ?? null,
  display: action.type === 'display' ? { cart: cartOf(action) } : null,
  print: action.paper &&
    action.locale && {
      paper: action.paper,
      locale: action.locale,
      path: `/v1/device/actions/${action.id}/receipt.escpos`,
    },
})

export const presentAction = (action: ReaderActionRow) => ({
  id: action.id,
  object: 'reader_action' as const,
  type: action.type,
  status: action.status,
  reader_id: action.readerId,
  in_person_payment_id: action.inPersonPaymentId,
  payment_id: action.paymentId,
  tip_action_id: action.tipActionId,
  ...inputsOf(action),
  answers: action.answers?.map((value) => ({ value })) ?? null,
  answers_until: action.answersUntil?.toISOString() ?? null,
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
  ...(action.type === 'process_payment'
    ? {
        amount: toMinorString(action.amountMinor!),
        currency: action.currency,
        installments: term(action.installmentMonths!),
        description: action.description,
      }
    : { amount: null, currency: null, installments: null, description: null }),
  ...inputsOf(action),
  expires_at: action.expiresAt.toISOString(),
})

/** What a device gets with its next action. */
export const presentTold = (configuration: ConfigurationRow) => ({
  id: configuration.id,
  version: configuration.version,
  ...presentSaid(configuration),
})

/** An action that has ended otherwise than by an approval says how; after an approval its payment does. */
export function statusOf({ actionStatus, paymentStatus, step, offlineStatus }: TakenRow): InPersonStatus {
  if (offlineStatus !== null && offlineStatus !== 'refused' && offlineStatus !== 'succeeded')
    return offlineStatus === 'forwarding' ? 'created' : offlineStatus
  switch (actionStatus) {
    case 'failed':
      return 'declined'
    case 'canceled':
    case 'timed_out':
    case 'unknown':
      return actionStatus
    case 'in_progress':
      if (paymentStatus === 'processing') return 'created'
      return step === null ? 'waiting_device' : 'in_progress'
    default:
      return byPayment[paymentStatus]
  }
}

const byPayment: Readonly<Record<TakenRow['paymentStatus'], InPersonStatus>> = {
  processing: 'unknown',
  requires_action: 'unknown',
  requires_capture: 'authorized',
  succeeded: 'succeeded',
  partially_captured: 'succeeded',
  requires_payment_method: 'declined',
  canceled: 'canceled',
  expired: 'canceled',
}

/** The card that the device read, with how it was read; null before the bank has approved it. */
export const cardOf = ({ card }: { readonly card: CardDetails | null }) =>
  card?.reading ? { ...card, reading: card.reading } : null

const offlineOf = ({ offlineStatus, storedAt, forwardedAt }: TakenRow) =>
  offlineStatus !== null && offlineStatus !== 'refused'
    ? {
        status: offlineStatus,
        stored_at: storedAt!.toISOString(),
        forwarded_at: forwardedAt!.toISOString(),
      }
    : null

export const presentInPerson = (sale: TakenRow) => ({
  id: sale.id,
  object: 'in_person_payment' as const,
  status: statusOf(sale),
  payment_id: sale.paymentId,
  public_id: sale.publicId,
  device_id: sale.deviceId,
  location_id: sale.locationId,
  amount: toMinorString(sale.amountMinor),
  amount_tip: toMinorString(sale.tipMinor),
  waiter_id: sale.waiterId,
  currency: sale.currency,
  amount_authorized: toMinorString(sale.amountAuthorizedMinor),
  amount_captured: toMinorString(sale.amountCapturedMinor),
  card: cardOf(sale),
  offline: offlineOf(sale),
  capture_method: sale.captureMethod,
  capture_before: sale.captureBefore?.toISOString() ?? null,
  installments: term(sale.installmentMonths),
  description: sale.description,
  client_reference_id: sale.clientReferenceId,
  metadata: sale.metadata,
  policy_version: String(sale.policyVersion),
  version: sale.version,
  created_at: sale.createdAt.toISOString(),
  updated_at: sale.updatedAt.toISOString(),
})
