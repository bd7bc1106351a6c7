import { expect, test } from 'vitest'
import { closed } from '../../../functions/money/payments/closing.ts'
import type { AttemptRow } from '../../../functions/money/payments/store.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { newReference, OtherProcessor } from '../../support/other-processor.ts'

const minute = 60_000

/** An attempt that began this long ago. */
const begun = (agoMs: number) =>
  ({ id: newReference(), createdAt: new Date(Date.now() - agoMs) }) as AttemptRow

test.each([
  ['may still arrive', minute / 2, 'unknown'],
  ['no longer arrives', 2 * minute, 'canceled'],
])('where nothing closes a reference, a charge that was never seen %s', async (_, agoMs, state) => {
  expect(await closed(new OtherProcessor().processor(), begun(agoMs))).toEqual({ state })
})

test('a processor that closes it has the last word', async () => {
  const { arrivesWithinMs: _, ...processor } = new OtherProcessor().processor()
  for (const state of ['canceled', 'unknown', 'not_found'] as const) {
    const answering: Processor = { ...processor, cancel: async () => ({ state }) }
    expect(await closed(answering, begun(2 * minute))).toEqual({ state })
  }
})
