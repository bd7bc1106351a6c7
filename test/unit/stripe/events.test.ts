import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readStripeEvents } from '../../../src/processors/stripe/index.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const now = new Date('2026-06-15T18:00:00Z')
const read = (after: string | null, at = now) =>
  readStripeEvents(
    { name: 'events', secretKey, apiBase, timeoutMs: 2_000, id: null, tenantId: null },
    after,
    at,
  )

/** Events of refunds, the oldest first, a second apart; the last one is so many seconds old. */
function happened(count: number, secondsAgo: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const about = { id: `re_${at}`, object: 'refund', metadata: {} }
    const event = server.events.add('refund.updated', about, 'acct_environment', true)
    event.created = now.getTime() / 1000 - secondsAgo - (count - 1 - at)
    return event.id
  })
}

test('a place that Stripe has forgotten: all that it keeps is read, some of it in each reading', async () => {
  const made = happened(4_950, 3_600)
  const recent = happened(50, 0)
  const seen: string[] = []
  const places: string[] = []
  let place = 'evt_forgotten'
  for (let hasMore = true; hasMore; ) {
    server.seen.length = 0
    const found = await read(place)
    expect(server.seen.length).toBeLessThanOrEqual(11)
    expect(places).not.toContain(found.readOnFrom)
    seen.unshift(...found.hints.map(({ eventId }) => eventId))
    place = found.readOnFrom!
    places.push(place)
    hasMore = found.hasMore
  }
  expect([seen, places.length, place]).toEqual([[...made, ...recent], 5, made.at(-1)])
  expect((await read(place)).hints.map(({ eventId }) => eventId)).toEqual(recent)
  expect(server.complaints).toEqual([])
})

test('a place that reads back ends where Stripe has forgotten its oldest event too', async () => {
  const made = happened(3, 3_600)
  const from = `${made[1]} evt_forgotten`
  expect(await read(from)).toEqual({ hints: [], readOnFrom: made[1], hasMore: false })
})

test('nothing at an account that had nothing: the place stays', async () => {
  expect(await read('')).toEqual({ hints: [], readOnFrom: null, hasMore: false })
})

test('the place stays behind events of the last ten minutes, also in a page with more behind it: one that is shown late is read', async () => {
  const [before = ''] = happened(1, 3_600)
  const made = happened(150, 10)
  const first = await read(before)
  expect([first.hints.length, first.readOnFrom, first.hasMore]).toEqual([100, null, false])
  const [late = ''] = happened(1, 120)
  server.events.all.splice(120, 0, server.events.all.shift()!)
  const later = new Date(now.getTime() + 11 * 60_000)
  const seen: string[] = []
  for (let place: string | null = before; place; ) {
    const found = await read(place, later)
    seen.push(...found.hints.map(({ eventId }) => eventId))
    place = found.hasMore ? found.readOnFrom : null
  }
  expect(seen.toSorted()).toEqual([...made, late].toSorted())
})
