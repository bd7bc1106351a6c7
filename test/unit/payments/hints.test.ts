import { expect, test } from 'vitest'
import { heardOfMade } from '../../../functions/notifications/made-refunds.ts'
import { heardOf } from '../../../functions/payments/janitor.ts'
import type { Surfaces } from '../../../functions/payments/record.ts'
import { heardOfRefund } from '../../../functions/refunds/send.ts'
import type { Services } from '../../../src/http/services.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { payment, refundRow } from '../refunds/samples.ts'
import { now, submission } from './samples.ts'

/** Rows that are there, at a processor that does not answer. */
function silent(...rows: readonly (readonly object[])[]): { services: Services; published: object[] } {
  const published: object[] = []
  const db = {
    call: async (text: string) => {
      if (text.includes('door.')) return 'tn_1'
      throw new Error('the processor does not answer')
    },
    read: async () => ({ rows }),
    publish: async (publication: object) => {
      published.push(publication)
      return { expected: [], tenantId: 'tn_1' }
    },
  }
  const settings = { environment: 'sandbox', baseUrl: 'https://spindle.example', feeSchedules: '[]' }
  return { services: { db, settings } as unknown as Services, published }
}

// A hint that is taken for heard is never told again.
test('late cash: a hint that could not be read is not taken for heard', async () => {
  const { payment: expired, attempt } = submission({ status: 'expired', resolvedAt: now, nextCheckAt: null })
  const { services, published } = silent([attempt], [expired], [])
  await expect(heardOf(services, {} as Surfaces, attempt.id, 'req_1')).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(published).toEqual([])
})

test('a refund that a bank sent back: a hint that could not be read is not taken for heard', async () => {
  const refund = refundRow({ status: 'succeeded', resolvedAt: now, nextCheckAt: null })
  const { services, published } = silent([refund], [payment()], [])
  await expect(heardOfRefund(services, refund.id, 'req_1')).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(published).toEqual([])
})

test('a refund that was made at the processor: a hint that could not be read is not taken for heard', async () => {
  const { services, published } = silent()
  await expect(heardOfMade(services, 'sbx_re_1', 'req_1')).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(published).toEqual([])
})

test('where the janitor asks anyway, an unread hint changes nothing', async () => {
  const refund = refundRow({ status: 'processing', nextCheckAt: now })
  const { services, published } = silent([refund], [payment()], [])
  await heardOfRefund(services, refund.id, 'req_1')
  expect(published).toEqual([])
})
