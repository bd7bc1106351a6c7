import { type Operation, operation } from '../../../src/http/operation.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { activeOwners, confirmedOwners } from '../../account/mails/api.ts'
import { sendReceipt } from './contract-receipt.ts'
import { mayWrite, originOfPayment, type PaymentOrigins } from './payment-origin.ts'
import { planReceiptCopy } from './plan-mails.ts'
import { contactsOf, paymentWithSale } from './store.ts'

/** The merchant sends a receipt again: one read and one publish, as a link is sent. */
export const receiptOperation = (origins: PaymentOrigins): Operation =>
  operation(sendReceipt(Object.values(origins)), async (call) => {
    const { id } = call.params
    const { principal, rows } = await call.reading(
      paymentWithSale({ id }),
      contactsOf({ paymentId: id }),
      activeOwners({}),
    )
    const [[payment], contacts, owners] = rows
    if (!payment) return call.fail('payment_not_found')
    if (!mayWrite(originOfPayment(origins, payment), principal)) return call.fail('insufficient_scope')
    const confirmed = await confirmedOwners(call.settings, owners, call.now)
    const sent = await call.publish(
      confirmed
        ? planReceiptCopy(payment, call.body, { hasContact: contacts.length > 0, confirmed }, call)
        : refuse('email_not_confirmed'),
    )
    call.services.sendMails()
    return sent
  })
