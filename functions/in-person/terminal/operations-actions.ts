import type { Input } from '../../../drizzle/schema/in-person.ts'
import { type Call, operation } from '../../../src/http/operation.ts'
import { type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { presentedMethod } from '../../../src/kernel/payment-methods.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { ScreenState } from '../../../src/processors/in-person.ts'
import { currentSchedule, processorOf } from '../../money/payments/api.ts'
import { accountNow, activeAccount } from '../../money/processors/api.ts'
import { itemsOf } from '../../order/lines/api.ts'
import { configurationOfDevice } from '../configurations/api.ts'
import { placedDevice } from '../devices/api.ts'
import type { PlacedDevice } from '../devices/api-pure.ts'
import { openSessionOf } from '../tap-to-pay/api.ts'
import { settle } from './contract.ts'
import * as contracts from './contract-actions.ts'
import { printout } from './contract-device.ts'
import { paperColumns } from './contract-receipt.ts'
import { readingNamed } from './operations.ts'
import { receiptAt, streamOf } from './operations-receipt.ts'
import { cartOf, offersOf, planAsk, planShown, presetsOf, printOf, questionOf } from './plan-actions.ts'
import { problemOfScreen } from './plan-inputs.ts'
import type { presentAction } from './present.ts'
import { endAsked } from './questions.ts'
import { actionById, ownActionById, takenById } from './store.ts'

type AnyCall = Call<unknown, unknown, unknown, ReturnType<typeof presentAction>>
type Asking = Pick<AnyCall, 'publish' | 'services' | 'requestId' | 'now'> & { readonly tenantId: string }
const railOf = ({ services }: Pick<AnyCall, 'services'>) => processorOf(services)?.inPerson

/** The account that readers belong to now, where their processor drives them. */
const accountOfReaders = (call: Pick<AnyCall, 'services'>) =>
  railOf(call)?.needsRegistration ? activeAccount({}) : null

/** How the processor that drives a device asks it; null of a device that asks us. */
function drivenBy(
  { services, fail }: Pick<AnyCall, 'services' | 'fail'>,
  { processorRef: readerRef, processorAccountId: accountId }: PlacedDevice,
  active: Parameters<typeof accountNow>[1],
) {
  const rail = railOf({ services })
  if (!rail || readerRef === null) return null
  if (rail.needsRegistration && accountId !== accountNow(services, active))
    return fail('reader_not_registered')
  return { ask: rail.ask, show: rail.show, reader: { readerRef, accountId } }
}

const collecting = (declared: typeof contracts.collectTip, kind: 'reader' | 'phone') =>
  operation(declared, async (call) => {
    const { body, params } = call
    const { principal, rows } = await readingNamed(
      call,
      placedDevice({ kind, id: params.id }),
      configurationOfDevice({ deviceId: params.id }),
      kind === 'phone' ? openSessionOf({ deviceId: params.id }) : null,
      kind === 'reader' ? accountOfReaders(call) : null,
    )
    const [[device], [configuration = null], [session = null], [active]] = rows
    if (!device) return call.fail('device_not_found')
    const driven = drivenBy(call, device, active)
    if (!currentSchedule(call.settings, call.now, body.currency)?.[presentedMethod])
      return call.fail('currency_unsupported', {
        param: 'currency',
        message: `No device takes payments in ${body.currency}.`,
      })
    const ask = driven?.ask
    const offers = (ask ? presetsOf : offersOf)(body, configuration)
    if ('refused' in offers) return call.publish(offers)
    const asking = { session, seconds: body.expires_in_seconds, isDriven: Boolean(ask) }
    const plan = planAsk('collect_tip', device, { ...asking, ...offers }, call)
    return asked({ ...call, ...principal }, plan, driven, questionOf(offers.input.offers))
  })

/** Records what a reader asks its buyer. Where its processor drives it, that asks, and the answer ends the action. */
async function asked(
  call: Asking,
  plan: Parameters<Asking['publish']>[0],
  driven: ReturnType<typeof drivenBy>,
  inputs: readonly Input[],
) {
  const reply = await call.publish(plan)
  const { id: reference } = reply
  const answer = await driven?.ask?.({ ...driven.reader, reference, inputs })
  if (answer)
    await endAsked(systemCall(call, call.tenantId), reference, answer).catch(
      logFailure('reader_question', call, reference),
    )
  return reply
}

const ofReader = ({ id }: { readonly id: string }) => placedDevice({ kind: 'reader', id })
const within = ({ expires_in_seconds: seconds }: { readonly expires_in_seconds: number }) => ({
  session: null,
  seconds,
})

/**
 * A reader that its processor drives is asked by that, after the publish, and the answer ends the action. One that was not
 * recorded, or not given, leaves it to its time. Round trips then: a load, the publish, the processor, a load and the end.
 */
const display = operation(contracts.display, async (call) => {
  const { body, params, read, now } = call
  const { principal, rows } = await readingNamed(call, ofReader(params), accountOfReaders(call))
  const [[device], [active]] = rows
  if (!device) return call.fail('device_not_found')
  const driven = drivenBy(call, device, active)
  const items = await itemsOf(read, body.line_items ?? [], { now, locationId: device.locationId })
  const cart = cartOf(body, items)
  if ('refused' in cart) return call.publish(cart)
  const show = driven?.show
  const asking = { ...within(body), ...cart, isDriven: Boolean(show) }
  const reply = await call.publish(planAsk('display', device, asking, call))
  if (driven && show) {
    const answer = await show({ ...driven.reader, reference: reply.id, cart: cart.input.cart })
    await endShown(systemCall(call, principal.tenantId), reply.id, answer).catch(
      logFailure('reader_screen', call, reply.id),
    )
  }
  return reply
})

async function endShown({ read, publish }: SystemCall, id: string, answer: ScreenState): Promise<void> {
  const [[action]] = await read(settle, actionById({ id }))
  const clock = clockOf(new Date())
  const plan = action && planShown(action, answer, clock)
  if (plan) await publish(settle, plan, clock)
}

const print = operation(contracts.print, async (call) => {
  const { body, params } = call
  const id = body.in_person_payment_id
  const [[device], [sale]] = await call.readAll(ofReader(params), takenById({ id }))
  if (!device) return call.fail('device_not_found')
  if (!sale) return call.fail('in_person_payment_not_found', { param: 'in_person_payment_id' })
  const printed = printOf(sale, body)
  if ('refused' in printed) return call.publish(printed)
  return call.publish(planAsk('print', device, { ...within(body), ...printed }, call))
})

const collectInput = operation(contracts.collectInput, async (call) => {
  const { body, params } = call
  const { principal, rows } = await readingNamed(call, ofReader(params), accountOfReaders(call))
  const [[device], [active]] = rows
  if (!device) return call.fail('device_not_found')
  const driven = drivenBy(call, device, active)
  const problem = driven && problemOfScreen(body.inputs)
  if (problem) return call.publish(problem)
  const input = { inputs: body.inputs }
  const asking = { ...within(body), input, isDriven: Boolean(driven?.ask) }
  const plan = planAsk('collect_input', device, asking, call)
  return asked({ ...call, ...principal }, plan, driven, body.inputs)
})

const ping = operation(contracts.ping, async (call) => {
  const [device] = await call.read(ofReader(call.params))
  if (!device) return call.fail('device_not_found')
  return call.publish(planAsk('ping', device, { ...within(call.body), input: {} }, call))
})

/** Two round trips: whose receipt it is, and what that says. */
const getPrintout = operation(printout, async (call) => {
  const [action] = await call.read(ownActionById({ id: call.params.id, kid: call.kid }))
  if (!action?.paper || !action.locale) return call.fail('reader_action_not_found')
  if (action.status !== 'in_progress' || action.expiresAt <= call.now) return call.fail('reader_action_over')
  const receipt = await receiptAt({ ...call, params: { id: action.inPersonPaymentId! } })
  const { printed } = await import('./receipt-escpos.ts')
  return streamOf(printed(receipt, action.locale, paperColumns[action.paper]))
})

export const operations = [
  collecting(contracts.collectTip, 'reader'),
  collecting(contracts.collectTipAtPhone, 'phone'),
  display,
  print,
  collectInput,
  ping,
  getPrintout,
]
