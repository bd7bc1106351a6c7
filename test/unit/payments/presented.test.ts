import { expect, test } from 'vitest'
import type { PaymentOrigin } from '../../../functions/money/payments/payment-origin.ts'
import { handToDevice } from '../../../functions/money/payments/presented.ts'
import type { Services } from '../../../src/http/services.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { configured, submission } from './samples.ts'

const origin = { kind: 'payment_link' } as PaymentOrigin
const settings = { feeSchedules: JSON.stringify([configured()]) }

/** Hands a payment to a device, whose processor answers when `secondsLeft` of its time are left. */
async function handed(secondsLeft: number) {
  const expiresAt = new Date(Date.now() + secondsLeft * 1000)
  const submitted = submission({ method: 'card_present' }, { method: 'card_present' })
  const waiting = submission(
    { method: 'card_present', status: 'pending_customer', processorRef: 'pi_1', expiresAt },
    { method: 'card_present', status: 'requires_action' },
  )
  const canceled: unknown[] = []
  const published: string[][] = []
  const db = {
    read: async () => {
      const { attempt, payment } = published.length === 0 ? submitted : waiting
      return { rows: [[attempt], [payment], []] }
    },
    publish: async ({ events }: { events: readonly { type: string }[] }) => {
      published.push(events.map(({ type }) => type))
      return { expected: [], tenantId: 'tn_1' }
    },
  }
  const processor = {
    cancel: async (reference: string, { processorRef }: { processorRef: string | null }) => {
      canceled.push([reference, processorRef])
      return { state: 'canceled' }
    },
    inPerson: {
      present: async () => ({
        state: 'pending_customer',
        action: { type: 'present_card', expiresAt },
        processorRef: 'pi_1',
      }),
    },
  } as unknown as Processor
  const work = { services: { db, settings } as unknown as Services, requestId: 'req_1' }
  const device = { tenantId: 'tn_1', deviceId: 'reader', readerRef: 'tmr_1', expiresAt }
  await handToDevice(work, { processor, origin }, submitted, device)
  return { canceled, published, reference: submitted.attempt.id }
}

test('a device that got a payment in its time waits for a card', async () => {
  const { canceled, published } = await handed(60)
  expect([canceled, published]).toEqual([[], [['payment.requires_action']]])
})

test('a device that got a payment after its time waits for nothing: it is closed at the processor by its id there', async () => {
  const { canceled, published, reference } = await handed(0)
  expect(canceled).toEqual([[reference, 'pi_1']])
  expect(published).toEqual([['payment.requires_action'], ['payment.expired']])
})
