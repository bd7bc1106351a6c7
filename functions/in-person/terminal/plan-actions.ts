import { devices } from '../../../drizzle/schema/devices.ts'
import { type Input, readerActions, type TipOffers, tapSessions } from '../../../drizzle/schema/in-person.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
import type { ConfiguredTips } from '../../../drizzle/schema/terminal-configurations.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { formatShort } from '../../../src/kernel/format.ts'
import { amountMinorMax, bpsOf, toMinorString } from '../../../src/kernel/money.ts'
import { change, expect, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type { QuestionState, ScreenState } from '../../../src/processors/in-person.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { priced, problemOfKinds } from '../../order/lines/api-pure.ts'
import type { DeviceRow, PlacedDevice } from '../devices/api-pure.ts'
import type { SessionRow } from '../tap-to-pay/api-pure.ts'
import type * as contracts from './contract-actions.ts'
import type { result } from './contract-device.ts'
import { answersFrom, answersOf } from './plan-inputs.ts'
import { presentAction, presentOrder } from './present.ts'
import { hasReceipt } from './present-receipt.ts'
import type { NextActionRow, ReaderActionRow, TakenRow } from './store.ts'

/** In which session a phone is asked; null of a reader. How long it has, in seconds. */
export interface Asking {
  readonly session: SessionRow | null
  readonly seconds: number
}

export const about = ({ id }: ReaderActionRow) => ({ type: 'reader_action', id })

/** Why a device cannot be asked; null where it can. */
export function problemOfDevice(device: PlacedDevice, session: SessionRow | null, clock: Clock) {
  if (device.status === 'disabled') return refuse('device_disabled')
  if (device.status !== 'paired') return refuse('device_not_paired')
  if (device.kind === 'phone' && !isOpen(session, device, clock)) return refuse('tap_session_not_open')
  return device.locationStatus === 'archived' ? refuse('location_archived') : null
}

const isOpen = (session: SessionRow | null, phone: DeviceRow, { now }: Clock): boolean =>
  session !== null &&
  session.expiresAt > now &&
  session.pairing === phone.pairingsCount &&
  session.locationId === phone.locationId

export const expectPaired = ({ id, pairingsCount }: DeviceRow) =>
  expect(devices, id, { status: 'paired', pairingsCount })

/** Before what holds the device: a change of a location holds its readers after it. */
export const expectPlaced = ({ locationId }: DeviceRow) => expect(locations, locationId, { status: 'active' })

export const expectInSession = (session: SessionRow | null): Write[] =>
  session ? [expect(tapSessions, session.id, { status: 'open' })] : []

/** An action with nothing in it that is of one type alone. */
export const newAction = (
  type: ReaderActionRow['type'],
  device: DeviceRow,
  { session, seconds }: Asking,
  clock: Clock,
): ReaderActionRow => ({
  ...newRow(clock),
  readerId: device.id,
  deviceKind: device.kind === 'phone' ? 'phone' : 'reader',
  pairing: device.pairingsCount,
  type,
  status: 'in_progress',
  inPersonPaymentId: null,
  paymentId: null,
  tipActionId: null,
  offers: null,
  chosen: null,
  tipMinor: null,
  inputs: null,
  answers: null,
  answersUntil: null,
  cart: null,
  paper: null,
  locale: null,
  sessionId: session?.id ?? null,
  failureCode: null,
  step: null,
  reportedAs: null,
  expiresAt: new Date(clock.now.getTime() + seconds * 1000),
  endedAt: null,
  announcedAt: clock.now,
})

type Asked = Partial<
  Pick<ReaderActionRow, 'offers' | 'inputs' | 'cart' | 'paper' | 'locale' | 'inPersonPaymentId'>
>

/** A device is asked something that takes no payment. `isDriven`: its processor can ask it. */
export function planAsk(
  type: Exclude<ReaderActionRow['type'], 'process_payment'>,
  device: PlacedDevice,
  { input, isDriven = false, ...asking }: Asking & { readonly input: Asked; readonly isDriven?: boolean },
  clock: Clock,
) {
  const unable = problemOfDevice(device, asking.session, clock)
  if (unable) return unable
  if (device.processorRef !== null && !isDriven) return refuse('reader_pays_alone')
  const action = { ...newAction(type, device, asking, clock), ...input }
  const reply = presentAction(action)
  return {
    writes: [
      expectPlaced(device),
      expectPaired(device),
      ...expectInSession(asking.session),
      insert(readerActions, action),
    ],
    events: [event(clock.newId(), 'reader_action.created', about(action), reply)],
    reply,
    subjectId: action.id,
  } satisfies Plan<unknown>
}

/** What the device's configuration says of tips, and the currency of its amounts. */
interface Configured {
  readonly tips: ConfiguredTips | null
  readonly currency: string
}

/**
 * What a buyer is offered: parts of the amount, each rounded half up, and amounts. Where the till names no presets, those
 * of the device's configuration that are not above the amount, and of its currency where they are amounts.
 */
export function offersOf(asked: BodyOf<typeof contracts.collectTip>, configuration: Configured | null) {
  const { amount, currency } = asked
  const configured = configuration?.tips
  const isOffered = (preset: Preset) =>
    isWithin(amount)(preset) && (!('amount' in preset) || configuration?.currency === currency)
  const {
    presets = [],
    allows_other = true,
    allows_none = true,
  } = {
    ...(configured && { ...configured, presets: configured.presets.filter(isOffered) }),
    ...named({ presets: asked.presets, allows_other: asked.allows_other, allows_none: asked.allows_none }),
  }
  if (presets.length === 0 && !allows_other)
    return refuse('parameter_invalid', {
      param: 'presets',
      message: 'Offer a preset, or allow another amount.',
    })
  const above = presets.findIndex((preset) => !isWithin(amount)(preset))
  if (above >= 0)
    return refuse('parameter_invalid', {
      param: `presets.${above}.amount`,
      message: `A tip is at most \`amount\`, ${amount} minor units.`,
    })
  const offered = presets.map((preset) =>
    'bps' in preset
      ? { bps: preset.bps, amount: toMinorString(bpsOf(BigInt(amount), preset.bps)) }
      : { bps: null, amount: toMinorString(BigInt(preset.amount)) },
  )
  const offers = {
    amount: toMinorString(BigInt(amount)),
    currency,
    presets: offered,
    allows_other,
    allows_none,
  }
  return { input: { offers } }
}

type Preset = ConfiguredTips['presets'][number]

const isWithin = (amount: string) => (preset: Preset) =>
  !('amount' in preset) || BigInt(preset.amount) <= BigInt(amount)

/** What a screen shows: the lines as a payment would have them; nothing where it is cleared. */
export function cartOf(
  { line_items: asked, currency, amount_tip: tip }: BodyOf<typeof contracts.display>,
  items: readonly ItemForSale[],
) {
  if (asked === null)
    return BigInt(tip) === 0n
      ? { input: { cart: null } }
      : refuse('parameter_unknown', {
          param: 'amount_tip',
          message: 'A screen that is cleared shows no tip.',
        })
  const sold = problemOfKinds(asked, items) ?? priced(asked, items, currency)
  if ('refused' in sold) return sold
  if (BigInt(tip) > sold.amountMinor)
    return refuse('parameter_invalid', {
      param: 'amount_tip',
      message: `The tip is at most what the lines come to, ${sold.amountMinor} minor units.`,
    })
  const amountMinor = sold.amountMinor + BigInt(tip)
  if (amountMinor > amountMinorMax) return refuse('amount_above_maximum', { param: 'amount_tip' })
  const line_items = sold.lines.map(({ name, quantity, amount_total }) => ({ name, quantity, amount_total }))
  const cart = {
    line_items,
    amount: toMinorString(amountMinor),
    amount_tip: toMinorString(BigInt(tip)),
    currency,
  }
  return { input: { cart } }
}

/** The receipt of what a card was approved for. */
export const printOf = (sale: TakenRow, { paper, locale }: BodyOf<typeof contracts.print>) =>
  hasReceipt(sale)
    ? { input: { inPersonPaymentId: sale.id, paper, locale } }
    : refuse('receipt_not_available', { param: 'in_person_payment_id' })

type Reported = BodyOf<typeof result>

/** The tip that the buyer chose, of what was offered. */
function chosenOf({ offers }: ReaderActionRow, tip: NonNullable<Reported['tip']>) {
  const { amount, presets, allows_other, allows_none } = offers!
  const wrong = (param: string, message: string) => refuse('parameter_invalid', { param, message })
  if ('preset' in tip) {
    const preset = presets[tip.preset]
    if (!preset) return wrong('tip.preset', `${presets.length} presets were offered.`)
    return { chosen: 'preset' as const, tipMinor: BigInt(preset.amount) }
  }
  if ('none' in tip)
    return allows_none
      ? { chosen: 'none' as const, tipMinor: 0n }
      : wrong('tip.none', 'A buyer without a tip was not offered.')
  if (!allows_other) return wrong('tip.other', 'Another amount was not offered.')
  const tipMinor = BigInt(tip.other)
  return tipMinor >= 1n && tipMinor <= BigInt(amount)
    ? { chosen: 'other' as const, tipMinor }
    : wrong('tip.other', `The tip is at least 1 and at most ${amount} minor units.`)
}

/** Nothing that its device does of it counts any more. */
export const isOver = (action: ReaderActionRow, clock: Clock): boolean =>
  action.status !== 'in_progress' || action.expiresAt < clock.now

/** What a device reports with its result, and of which type. */
const parts = [
  ['tip', 'collect_tip', 'Say what the buyer chose.'],
  ['answers', 'collect_input', 'Say what the buyer gave.'],
] as const

/** Why a result has too much or too little; null where it has what its type needs. */
export function problemOfParts({ type }: Pick<ReaderActionRow, 'type'>, reported: Reported) {
  for (const [param, of, missing] of parts) {
    const needed = type === of && reported.outcome === 'completed'
    if (reported[param] && !needed)
      return refuse('parameter_unknown', {
        param,
        message: `Only a \`${of}\` that was completed has \`${param}\`: leave it out.`,
      })
    if (!reported[param] && needed) return refuse('parameter_missing', { param, message: missing })
  }
  return null
}

const nothing = { chosen: null, tipMinor: null, answers: null, answersUntil: null }

/** What the device says of an action that takes no payment ends it, once and in its time. */
export function planDone(action: NextActionRow, reported: Reported, clock: Clock) {
  const { outcome, tip, answers } = reported
  const problem = problemOfParts(action, reported)
  if (problem) return problem
  const chosen = tip ? chosenOf(action, tip) : { chosen: null }
  if ('refused' in chosen) return chosen
  const answered = answers ? answersOf(action.inputs!, answers, clock) : { answers: null }
  if ('refused' in answered) return answered
  const said = { ...nothing, ...chosen, ...answered }
  if (action.reportedAs !== null) {
    const isSame =
      action.reportedAs === outcome &&
      action.chosen === said.chosen &&
      action.tipMinor === said.tipMinor &&
      JSON.stringify(action.answers) === JSON.stringify(said.answers)
    if (!isSame) return refuse('reader_action_reported')
    return { writes: [], events: [], reply: presentOrder(action), subjectId: action.id }
  }
  if (isOver(action, clock)) return refuse('reader_action_over')
  const status = outcome === 'completed' ? ('succeeded' as const) : ('failed' as const)
  const { after, plan } = ended(action, { status, reportedAs: outcome, ...said }, clock)
  return { ...plan, reply: presentOrder(after) }
}

/** What its processor says of a screen ends the action, in its time; null where it says nothing. */
export function planShown(action: ReaderActionRow, answer: ScreenState, clock: Clock) {
  if (answer.state === 'unknown' || isOver(action, clock)) return null
  const end =
    answer.state === 'shown'
      ? { status: 'succeeded' as const }
      : { status: 'failed' as const, failureCode: answer.deviceFailure }
  return { ...ended(action, end, clock).plan, reply: {} }
}

/** It is over before the device has done it. */
export function planGivenUp(action: ReaderActionRow, clock: Clock) {
  const { after, plan } = ended(action, { status: 'canceled' }, clock)
  return { ...plan, reply: presentAction(after) }
}

function ended<A extends ReaderActionRow>(
  action: A,
  more: Partial<ReaderActionRow> & { readonly status: 'succeeded' | 'failed' | 'canceled' },
  { now, newId }: Clock,
) {
  const set = { ...more, endedAt: now, announcedAt: now, updatedAt: now }
  const after = { ...action, ...set, version: action.version + 1 }
  return {
    after,
    plan: {
      writes: [change(readerActions, action, set)],
      events: [event(newId(), `reader_action.${more.status}`, about(action), presentAction(after))],
      subjectId: action.id,
    },
  }
}

/** What a reader of the processor's own offers: presets alone, whatever its configuration says. */
export const presetsOf = (asked: BodyOf<typeof contracts.collectTip>, configuration: Configured | null) =>
  asked.allows_other
    ? refuse('parameter_invalid', {
        param: 'allows_other',
        message: 'A reader of the processor’s own offers presets alone.',
      })
    : offersOf({ ...asked, allows_other: false }, configuration)

/** The choice of who gives no tip; any other is a preset, by its place. */
const none = 'none'

/** The offers as a buyer is asked about them on the screen of such a reader. */
export function questionOf({ currency, presets, allows_none }: TipOffers) {
  const choices = presets.map(({ bps, amount }, at) => {
    const money = formatShort(BigInt(amount), currency, 'es-MX')
    return { id: String(at), text: bps === null ? money : `${bps / 100} % · ${money}` }
  })
  const question = {
    type: 'selection',
    title: '¿Desea dejar propina?',
    description: null,
    required: true,
    choices: allows_none ? [...choices, { id: none, text: 'Sin propina' }] : choices,
  } satisfies Input
  return [question] as const
}

type Answer = Exclude<QuestionState, { readonly state: 'asked' | 'unknown' }>

/** What its processor says of a question ends the action, once and in its time; null where that is over. */
export function planAnswered(action: ReaderActionRow, answer: Answer, clock: Clock) {
  if (isOver(action, clock)) return null
  const said = answer.state === 'answered' ? saidOf(action, answer.answers, clock) : null
  const failureCode = answer.state === 'failed' ? answer.deviceFailure : 'reader_failed'
  const end = said ? { status: 'succeeded' as const, ...said } : { status: 'failed' as const, failureCode }
  return { ...ended(action, end, clock).plan, reply: {} }
}

/** What the buyer gave; null where it is nothing that was asked for. */
function saidOf(action: ReaderActionRow, answers: readonly (string | null)[], clock: Clock) {
  if (action.inputs !== null) return answersFrom(action.inputs, answers, clock)
  const [id] = answers
  if (!id) return null
  const chosen = chosenOf(action, id === none ? { none: true } : { preset: Number(id) })
  return 'refused' in chosen ? null : chosen
}
