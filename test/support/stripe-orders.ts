import { uuidv7 } from '../../src/kernel/ids.ts'
import type { PresentedCharge, ReaderOrder } from '../../src/processors/in-person.ts'
import type { CardCharge, PushCharge, RefundOrder } from '../../src/processors/port.ts'
import { type StripeAccount, stripe } from '../../src/processors/stripe/index.ts'
import { type StripeServer, secretKey } from './stripe-server.ts'

let accounts = 0

/** The processor with an account for each test, so that none opens the breaker of another. */
export function processorAt(apiBase: string, timeoutMs = 2_000, more: Partial<StripeAccount> = {}) {
  const name = `test-${++accounts}`
  const account = { name, id: null, tenantId: null, secretKey, apiBase, timeoutMs, ...more }
  const { refunds, deposits, disputes, capture, fetchAttempt, cancel, ...rest } = stripe(async () => account)
  const { depositsOf, ...deposit } = deposits!
  const known = (processorRef?: string) => ({ processorRef: processorRef ?? null, accountId: null })
  return {
    ...rest,
    fetchAttempt: (id: string, ref?: string) => fetchAttempt(id, known(ref)),
    cancel: (id: string, ref?: string) => cancel(id, known(ref)),
    capture: (id: string, amountMinor: bigint, ref?: string) => capture!(id, amountMinor, known(ref)),
    refunds: refunds!,
    deposits: {
      ...deposit,
      depositsOf: (id: string, ref?: string) => depositsOf!(id, known(ref)),
    },
    disputes: disputes!,
  }
}

export const cardCharge = (token: string, more: Partial<CardCharge> = {}): CardCharge => ({
  method: 'card',
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café de Olla',
  accountId: null,
  buyer: {},
  token,
  installmentMonths: 1,
  capture: 'automatic',
  threeDs: 'automatic',
  returnUrl: 'https://pay.spindle.example/back',
  ...more,
})

export const pushCharge = (method: 'oxxo' | 'spei', more: Partial<PushCharge> = {}): PushCharge => ({
  method,
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café de Olla',
  accountId: null,
  buyer: { name: 'Ana Prueba', email: 'ana@example.com' },
  expiresAt: new Date(Date.now() + 3 * 86_400_000),
  returnUrl: 'https://pay.spindle.example/back',
  ...more,
})

/** A reader that shows a code; `serial`: the machine. */
export function readerOrder(server: StripeServer, more: Partial<ReaderOrder> = {}): ReaderOrder {
  const machines = server.codes.size + server.readers.size
  const code = `quick-brown-${machines}`
  server.codes.set(code, `WSC5131050${machines}`)
  return {
    reference: `${uuidv7(Date.now())}:1`,
    code,
    name: 'Mostrador',
    place: { id: uuidv7(Date.now()), version: 1, name: 'Roma', address: roma, placeRef: null },
    accountId: null,
    ...more,
  }
}
const roma = {
  line1: 'Orizaba 101',
  line2: null,
  neighborhood: 'Roma Norte',
  city: 'Ciudad de México',
  state: 'CDMX',
  postal_code: '06700',
  country: 'MX',
}

export const presentedCharge = (readerRef: string, more: Partial<PresentedCharge> = {}): PresentedCharge => ({
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  accountId: null,
  deviceId: uuidv7(Date.now()),
  readerRef,
  installmentMonths: 1,
  capture: 'automatic',
  expiresAt: new Date(Date.now() + 300_000),
  ...more,
})

/** A refund of what this charge took. */
export const refundOrder = (
  server: StripeServer,
  charge: CardCharge | PushCharge,
  amountMinor: bigint,
): RefundOrder => ({
  reference: uuidv7(Date.now()),
  attemptReference: charge.reference,
  processorRef: server.intentFor(charge.reference)!.id,
  accountId: null,
  reason: 'requested_by_customer',
  amountMinor,
  currency: 'mxn',
})
