import { expect, test } from 'vitest'
import { openPlace, placedPage } from '../../../functions/developer/webhooks/following.ts'
import type { Settings } from '../../../src/env/settings.ts'

const settings = {
  signingSecrets: { current: '1', byVersion: { 1: 'a'.repeat(64) } },
} as unknown as Settings
const filters = { limit: 2, order: 'asc' }
const row = (commitOrder: bigint, position: bigint) => ({ commitOrder, position })

async function next(horizon: bigint, rows: ReturnType<typeof row>[], cursor = '') {
  const from = await openPlace(settings, { ...filters, cursor })
  const page = await placedPage(settings, filters, from, { tenantId: 'tn_a', horizon, rows }, (each) => each)
  const place = await openPlace(settings, { ...filters, cursor: page.next_cursor })
  return { page, at: [place!.commitOrder, place!.position] }
}

test.each<[what: string, horizon: bigint, rows: ReturnType<typeof row>[], more: boolean, at: bigint[]]>([
  ['nothing yet: all before the horizon is seen', 100n, [], false, [100n, 0n]],
  ['the last ones: likewise', 100n, [row(98n, 7n)], false, [100n, 0n]],
  [
    'a row that the horizon has passed since it was read',
    100n,
    [row(98n, 7n), row(104n, 8n)],
    false,
    [104n, 8n],
  ],
  [
    'more to come: after the last that is shown',
    100n,
    [row(90n, 1n), row(90n, 2n), row(91n, 3n)],
    true,
    [90n, 2n],
  ],
])('%s', async (_, horizon, rows, more, at) => {
  const { page, at: place } = await next(horizon, rows)
  expect([page.data.length, page.has_more, place]).toEqual([Math.min(rows.length, 2), more, at])
})

test('a cursor ahead of the horizon comes from a history that was undone: it is refused at once', async () => {
  const { page } = await next(100n, [])
  await expect(next(99n, [], page.next_cursor)).rejects.toMatchObject({ code: 'cursor_invalid' })
  expect((await next(100n, [], page.next_cursor)).at).toEqual([100n, 0n])
})
