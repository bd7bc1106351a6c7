import { expect, test } from 'vitest'
import type { PaymentOnPage } from '../../../functions/page/hosted-payment/checkout-flow.ts'
import { outcomeOf } from '../../../functions/page/hosted-payment/pages/result/outcome.ts'
import { resultPage } from '../../../functions/page/hosted-payment/pages/result/result.ts'
import { challengedView, paymentFacts } from './samples.ts'

/** One line per state of a payment and its last attempt: what the page says, and what it must not say. */

const card = { brand: 'visa', last4: '0008', bin6: '400000', funding: 'credit' }
const voucher = { reference: '98012345678904', expires_at: '2026-11-25T05:59:59Z' }
const clabe = {
  clabe: '646180000000000012',
  bank_name: 'STP',
  beneficiary: 'Café Azul',
  expires_at: '2026-11-25T05:59:59Z',
  clave_rastreo: null as string | null,
}
const at = new Date('2026-11-21T01:36:00Z')

type Payment = Partial<PaymentOnPage['payment']>
type Attempt = Partial<PaymentOnPage['attempt']>

const found = (payment: Payment, attempt: Attempt): PaymentOnPage =>
  ({
    onSale: { sale: { publicId: 'splink_x', feeAllocation: 'pass_to_buyer' } },
    payment: {
      publicId: 'spcs_x',
      method: 'card',
      methodDetails: card,
      amountMinor: 120_000n,
      amountAuthorizedMinor: 0n,
      amountCapturedMinor: 0n,
      amountRefundedMinor: 0n,
      installmentMonths: 1,
      markupMinor: 0n,
      description: null,
      declineCode: null,
      succeededAt: at,
      captureBefore: at,
      ...payment,
    },
    attempt: { method: payment.method ?? 'card', resolution: null, ...attempt },
    unapplied: null,
  }) as unknown as PaymentOnPage

const oxxo: Payment = { method: 'oxxo', methodDetails: null }
const spei: Payment = { method: 'spei', methodDetails: null }
const held: Payment = { amountAuthorizedMinor: 120_000n }

const cases: [string, Payment, Attempt, string, string, RegExp | null][] = [
  [
    'a card is being charged',
    { status: 'processing' },
    { status: 'submitting' },
    'Estamos confirmando con tu banco',
    'No pagues de nuevo',
    null,
  ],
  [
    'the bank does not say',
    { status: 'processing' },
    { status: 'unknown' },
    'Estamos confirmando con tu banco',
    'el pago sigue su curso',
    null,
  ],
  [
    'a voucher is being made',
    { ...oxxo, status: 'processing' },
    { status: 'submitting' },
    'Estamos preparando tu ficha',
    'Todavía no has pagado nada',
    /banco|sigue su curso|No pagues/,
  ],
  [
    'the processor does not say whether there is a voucher',
    { ...oxxo, status: 'processing' },
    { status: 'unknown' },
    'Estamos preparando tu ficha',
    'para ver tu ficha',
    /banco|sigue su curso|No pagues/,
  ],
  [
    'a CLABE is being lent',
    { ...spei, status: 'processing' },
    { status: 'unknown' },
    'Estamos preparando tu CLABE',
    'para ver tu CLABE',
    /sigue su curso|No pagues|ficha/,
  ],
  [
    'a card was declined',
    { status: 'requires_payment_method', declineCode: 'card_declined' },
    { status: 'declined' },
    'El pago no se aprobó',
    'El banco rechazó la tarjeta',
    null,
  ],
  [
    'a voucher was refused',
    { ...oxxo, status: 'requires_payment_method', declineCode: 'card_declined' },
    { status: 'declined' },
    'No se pudo crear tu ficha',
    'ficha de OXXO',
    /tarjeta|banco/,
  ],
  [
    'a CLABE was refused',
    { ...spei, status: 'requires_payment_method', declineCode: 'processing_error' },
    { status: 'canceled' },
    'No se pudo crear tu CLABE',
    'No nos dieron una CLABE',
    /tarjeta|ficha/,
  ],
  [
    'a voucher expired',
    { ...oxxo, methodDetails: voucher, status: 'expired' },
    { status: 'expired' },
    'El pago venció',
    'Si pagaste esta ficha',
    /No se hizo ningún cargo/,
  ],
  [
    'a CLABE expired',
    { ...spei, methodDetails: clabe, status: 'expired' },
    { status: 'expired' },
    'El pago venció',
    'Si transferiste a la CLABE',
    /No se hizo ningún cargo/,
  ],
  [
    'the card was never tried again',
    { status: 'expired', declineCode: 'card_declined' },
    { status: 'declined' },
    'El pago venció',
    'No se hizo ningún cargo',
    /apartó/,
  ],
  [
    'the merchant canceled a challenge',
    { status: 'canceled' },
    { status: 'canceled' },
    'Pago cancelado',
    'No se hizo ningún cargo',
    /apartó/,
  ],
  [
    'an authorization lapsed',
    { ...held, status: 'expired' },
    { status: 'expired' },
    'El importe no se cobró',
    'no cobró a tiempo',
    /no se completó/,
  ],
  [
    'the bank ended an authorization',
    { ...held, status: 'expired' },
    { status: 'canceled' },
    'El importe no se cobró',
    'Tu banco lo libera',
    /no se completó/,
  ],
  [
    'the merchant let an authorization go',
    { ...held, status: 'canceled' },
    { status: 'canceled' },
    'El importe no se cobró',
    'canceló el pago sin cobrar',
    /a tiempo/,
  ],
  [
    'an authorization is held',
    { ...held, status: 'requires_capture' },
    { status: 'authorized' },
    'Pago autorizado',
    'Tu banco apartó',
    /No se hizo ningún cargo/,
  ],
  [
    'a part was captured',
    { ...held, status: 'partially_captured', amountCapturedMinor: 50_000n },
    { status: 'captured' },
    'Pago aprobado',
    '$500.00 MXN',
    null,
  ],
  [
    'paid by card',
    { status: 'succeeded' },
    { status: 'captured' },
    'Pago aprobado',
    'Visa terminada en 0008',
    null,
  ],
  [
    'paid at OXXO',
    { ...oxxo, methodDetails: voucher, status: 'succeeded' },
    { status: 'captured' },
    'Pago aprobado',
    voucher.reference,
    null,
  ],
  [
    'paid by SPEI',
    { ...spei, methodDetails: { ...clabe, clave_rastreo: 'STP123' }, status: 'succeeded' },
    { status: 'captured' },
    'Pago aprobado',
    'STP123',
    null,
  ],
  [
    'paid by applied funds alone',
    { ...spei, methodDetails: clabe, status: 'succeeded' },
    { status: 'captured' },
    'Pago aprobado',
    '<dd>SPEI</dd>',
    /<code><\/code>/,
  ],
  [
    'numbers that contradict',
    { status: 'processing' },
    { status: 'amount_mismatch' },
    'Estamos revisando tu pago',
    'No pagues de nuevo',
    null,
  ],
  [
    'what contradicted was voided',
    { status: 'canceled' },
    { status: 'canceled', resolution: 'voided' },
    'El pago se deshizo',
    'Tu banco libera',
    /devolvió/,
  ],
  [
    'what contradicted was sent back',
    { status: 'canceled' },
    { status: 'canceled', resolution: 'refunded' },
    'El pago se deshizo',
    'se te devolvió',
    /No se hizo ningún cargo/,
  ],
  [
    'what contradicted was settled by people',
    { status: 'canceled' },
    { status: 'canceled', resolution: 'settled_elsewhere' },
    'El pago se deshizo',
    'por su cuenta',
    /No se hizo ningún cargo/,
  ],
  [
    'the bank asks',
    { status: 'requires_action' },
    { status: 'pending_customer' },
    'Tu banco espera tu confirmación',
    'Continuar con mi banco',
    null,
  ],
]

test.each(cases)('%s', async (_, payment, attempt, title, says, never) => {
  const outcome = outcomeOf(found(payment, attempt), '/splink_x', challengedView)
  const page = String(await resultPage({ ...paymentFacts, ...outcome }))
  const main = page.slice(page.indexOf('<main'))
  expect(main).toContain(`<h1 id="outcome">${title}</h1>`)
  expect(main).toContain(says)
  if (never) expect(main).not.toMatch(never)
})
