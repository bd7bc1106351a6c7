import { operation } from '../../../src/http/operation.ts'
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
import { openSessionOf } from '../tap-to-pay/api.ts'
import { settle } from './contract.ts'
import * as contracts from './contract-actions.ts'
import { printout } from './contract-device.ts'
import { paperColumns } from './contract-receipt.ts'
import { receiptAt, streamOf } from './operations-receipt.ts'
import { cartOf, offersOf, planAsk, planShown, presetsOf, printOf, questionOf } from './plan-actions.ts'
import { endAsked } from './questions.ts'
import { actionById, ownActionById, takenById } from './store.ts'

const collecting = (declared: typeof contracts.collectTip, kind: 'reader' | 'phone') =>
  operation(declared, async (call) => {
    const { body, params, services } = call
    const { principal, rows } = await call.reading(
      placedDevice({ kind, id: params.id }),
      configurationOfDevice({ deviceId: params.id }),
      activeAccount({}),
      ...(kind === 'phone' ? [openSessionOf({ deviceId: params.id })] : []),
    )
    const [[device], [configuration], [active], ...[phone]] = rows
    if (!device) return call.fail('device_not_found')
    const { processorRef: readerRef, processorAccountId: accountId } = device
    const rail = readerRef === null ? undefined : processorOf(services)?.inPerson
    if (rail?.needsRegistration && accountId !== accountNow(services, active))
      return call.fail('reader_not_registered')
    if (!currentSchedule(call.settings, call.now, body.currency)?.[presentedMethod])
      return call.fail('currency_unsupported', {
        param: 'currency',
        message: `No device takes payments in ${body.currency}.`,
      })
    const ask = rail?.ask
    const offers = (ask ? presetsOf : offersOf)(body, configuration ?? null)
    if ('refused' in offers) return call.publish(offers)
    const asking = { session: phone?.[0] ?? null, seconds: body.expires_in_seconds, isDriven: Boolean(ask) }
    const reply = await call.publish(planAsk('collect_tip', device, { ...asking, ...offers }, call))
    if (ask && readerRef !== null) {
      const { id: reference } = reply
      const answer = await ask({ reference, readerRef, accountId, ...questionOf(offers.input.offers) })
      await endAsked(systemCall(call, principal.tenantId), reference, answer).catch(
        logFailure('reader_question', call, reference),
      )
    }
    return reply
  })

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
  const { body, params, read, now, services } = call
  const { principal, rows } = await call.reading(ofReader(params), activeAccount({}))
  const [[device], [active]] = rows
  if (!device) return call.fail('device_not_found')
  const { processorRef: readerRef, processorAccountId: accountId } = device
  const rail = readerRef === null ? undefined : processorOf(services)?.inPerson
  if (rail?.needsRegistration && accountId !== accountNow(services, active))
    return call.fail('reader_not_registered')
  const items = await itemsOf(read, body.line_items ?? [], { now, locationId: device.locationId })
  const cart = cartOf(body, items)
  if ('refused' in cart) return call.publish(cart)
  const show = rail?.show
  const asking = { ...within(body), ...cart, isDriven: show !== undefined }
  const reply = await call.publish(planAsk('display', device, asking, call))
  if (show && readerRef !== null) {
    const answer = await show({ reference: reply.id, readerRef, cart: cart.input.cart, accountId })
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
  const [device] = await call.read(ofReader(params))
  if (!device) return call.fail('device_not_found')
  return call.publish(
    planAsk('collect_input', device, { ...within(body), input: { inputs: body.inputs } }, call),
  )
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
