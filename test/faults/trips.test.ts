import { afterEach, describe, expect, test } from 'vitest'
import { operationOf } from '../../local/samples.ts'
import type { Contract } from '../../src/http/contract.ts'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import { replyLengthMax } from '../../src/platform/redis.ts'
import { all, bearer, idempotent, newWorld, type Row, ready, request, send } from '../contract/requests.ts'
import { payInCash } from '../support/cash.ts'
import { challenged, otherWay } from '../support/challenge.ts'
import { newCatalog, newItem, asked as ofCatalogs } from '../support/digital-catalogs.ts'
import type { Call } from '../support/gateways/call-log.ts'
import { newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { ends, paidByCard, refund } from '../support/refunds.ts'
import { share } from '../support/share.ts'
import { adminSql, counts, faults, latency, trigger } from '../support/stack.ts'
import { newWaiter } from '../support/table-pay.ts'
import { choosesTip, newCounter, process } from '../support/terminal.ts'
import { isForMails, sequentialTrips } from '../support/trips.ts'
import { tripsMax } from '../support/waits.ts'

/*
 * How often a caller waits for Postgres or Redis, one wait after the other, counted at the gateways. Parallel calls are
 * one wait: with 50 ms at both gateways they never look like two.
 */
afterEach(async () => {
  await faults.clear()
  await latency.set({})
})

// A busy machine adds to some counts and not to others, and work of earlier requests may come late; the cost of an
// operation does not change.
const counted = { retry: 2 }

/**
 * A caller with a session costs a trip to the identity database first, unless a proof reads beside it; one with a key or a
 * device costs none. A change reads and publishes, a creation that relies on nothing only publishes.
 */
const usual = ({ access, tables, location }: Contract) =>
  access.session?.stepUp
    ? 2
    : (access.api_key || access.device ? 0 : 1) + (tables.length === 0 || location ? 1 : 2)

test('a line is for an operation that needs it', () => {
  const needed = all.filter(([id, { contract }]) => id in tripsMax && tripsMax[id] !== usual(contract))
  expect(Object.keys(tripsMax).sort()).toEqual(needed.map(([id]) => id).sort())
})

const isUsual = ([id]: Row) => !(id in tripsMax)
const counting = [...all.filter((row) => !isUsual(row)), ...share(all.filter(isUsual), 12)]
test.each(counting)('%s', counted, async (id, operation) => {
  const made = await ready(operation)
  const { result, calls, trips } = await waits(() => send(made))
  expect(result.status, result.text).toBe(operation.contract.reply.status)
  expect(trips, told(calls)).toBe(tripsMax[id] ?? usual(operation.contract))
  if (!operation.contract.access.session?.stepUp) expect(calls.redis).toEqual([])
})

test.each(share(idempotent, 8))('%s again', counted, async (id, operation) => {
  const made = await ready(operation)
  await send(made)
  const { result, calls, trips } = await waits(() => send(made))
  expect(result.headers.get('idempotent-replayed')).toBe('true')
  const most = operation.contract.access.api_key ? 1 : (tripsMax[id] ?? usual(operation.contract))
  // A long reply lies in Redis, which is asked once the publish has said that it is one.
  const isLong = !operation.contract.access.api_key && result.text.length > replyLengthMax
  expect(trips, told(calls)).toBeLessThanOrEqual(isLong ? most + 1 : most)
})

test('what a proof protects asks Postgres and Redis at the same time', counted, async () => {
  const made = await ready(operationOf('api_keys.rotate'))
  await send(await ready(operationOf('api_keys.rotate'))) // connections stand
  const { calls } = await waits(() => send(made))
  const [first] = calls.neon
  const [spent] = calls.redis
  expect(spent!.startedAtMs).toBeLessThan(first!.finishedAtMs!)
  expect(first!.startedAtMs).toBeLessThan(spent!.finishedAtMs!)
})

const proven = idempotent.filter(([, { contract }]) => contract.access.session?.stepUp)
test.each(share(proven, 4, 1))('%s again, without Redis', counted, async (id, operation) => {
  const made = await ready(operation)
  await faults.redis({ mode: 'hang', always: true })
  await send(made)
  const { result, calls, trips } = await waits(() => send(made))
  expect(result.headers.get('idempotent-replayed')).toBe('true')
  const most = tripsMax[id] ?? usual(operation.contract)
  // A long reply lies in Redis: it is waited for, then the request is made again.
  expect(trips, told(calls)).toBeLessThanOrEqual(result.text.length > replyLengthMax ? 2 * most + 1 : most)
})

test('a refused proof costs no more than an accepted one', counted, async () => {
  const operation = operationOf('api_keys.rotate')
  const world = await newWorld()
  const made = await request(operation, world)
  const other = await request(operation, world)
  other.headers['x-sp-step-up-token'] = made.headers['x-sp-step-up-token']!
  const { result, calls, trips } = await waits(() => send(other))
  expect(result.body).toMatchObject({ error: { code: 'step_up_idempotency_key_mismatch' } })
  expect(trips, told(calls)).toBeLessThanOrEqual(2)
})

test('a card payment: two publishes and the processor', counted, async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const { result, calls, trips } = await waits(() => pay(link.public_id, form, 'tok_sbx_approve'))
  expect(result.status).toBe(303)
  expect(
    calls.neon.map(({ statements }) => /(door|simulator)\.(?!call\b)\w+/.exec(statements[0]!)?.[0]),
  ).toEqual(['door.publish', 'simulator.charge', 'door.publish'])
  expect(trips, told(calls)).toBe(3)
  expect(calls.redis).toEqual([])
})

test('who served and a tip are read with the reader, items after it', counted, async () => {
  const counter = await newCounter()
  const { id } = await newCatalog(counter.merchant)
  const latte = { kind: 'service', name: 'Latte', price: { amount: '45000' } }
  const line = { item_id: (await newItem(counter.merchant, id, latte)).id }
  await ofCatalogs(counter.merchant, 'POST', `/${id}/publish`)
  const tip_action_id = (await choosesTip(counter)).id
  const waiter_id = (await newWaiter(counter.merchant)).id
  const asked = { amount: '45000', waiter_id, tip_action_id, line_items: [line] }
  const { result, calls, trips } = await waits(() => process(counter, asked))
  expect(result.status, result.text).toBe(201)
  expect(trips, told(calls)).toBe(tripsMax['readers.process_payment']! + 1)
  expect(calls.neon.filter(({ statements }) => /door\.enter/.test(statements.join()))).toHaveLength(2)
})

test('a voucher: two publishes and the processor', counted, async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const form = await openLink(link.public_id)
  const { result, calls, trips } = await waits(() => payInCash(link.public_id, form, 'oxxo'))
  expect(result.status).toBe(303)
  expect(
    calls.neon.map(({ statements }) => /(door|simulator)\.(?!call\b)\w+/.exec(statements[0]!)?.[0]),
  ).toEqual(['door.publish', 'simulator.issue_voucher', 'door.publish'])
  expect(trips, told(calls)).toBe(3)
  expect(calls.redis).toEqual([])
})

test("a buyer who left the bank's challenge: what each page waits for", counted, async () => {
  const one = await challenged()
  const { browser, path } = one
  const steps: [name: string, trips: number, work: () => Promise<{ status: number }>][] = [
    ['the link', 1, () => browser.open(`/${one.link.public_id}`)],
    ['the payment', 1, () => browser.open(path)],
    // The processor says where the challenge is now.
    ['on to the bank', 2, () => browser.open(`${path}/bank`)],
    // The payment, the processor twice, the rows to record on, the outcome.
    ['another way', 5, () => otherWay(one)],
  ]
  for (const [name, most, work] of steps) {
    const { result, calls, trips } = await waits(work)
    expect([200, 303], name).toContain(result.status)
    expect(trips, `${name}: ${told(calls)}`).toBe(most)
    expect(calls.redis).toEqual([])
  }
})

test(
  'a refund: one load more than a payment; the caller waits for the load and the first publish',
  counted,
  async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { result, trips, calls } = await waits(() => refund(merchant, { payment_id: payment }))
    expect(result.status, result.text).toBe(201)
    expect(trips, told(calls)).toBe(2)
    await ends(merchant, result.body.id, 'succeeded')
    const asked = (await calls.sinceThen())
      .filter(({ statements }) => statements.length !== 2) // asks how it is going
      .map(({ statements }) => /(door|simulator)\.(?!call\b)\w+/.exec(statements[0]!)?.[0])
    expect(asked).toEqual(['door.enter', 'door.publish', 'simulator.refund', 'door.publish'])
  },
)

describe('nothing is asked about', () => {
  const garbage: [what: string, token: () => string][] = [
    ['a word', () => 'garbage'],
    ['an unknown prefix', () => mintApiKey({ environment: 'sandbox' }).token.replace('sk_sbx', 'sk_test')],
    ['a key cut short', () => mintApiKey({ environment: 'sandbox' }).token.slice(0, -1)],
    [
      'a mistyped key',
      () =>
        mintApiKey({ environment: 'sandbox' })
          .token.replace(/_(.)/g, (_, c) => `_${c === 'a' ? 'b' : c}`)
          .replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    ],
    ["the other environment's key", () => mintApiKey({ environment: 'live' }).token],
    ['a forged session', () => `${'A'.repeat(32)}.${'A'.repeat(43)}=`],
  ]
  // An operation meets one of them; in process each meets all: test/unit/http/refusals.test.ts.
  test('credentials that cannot be any, on many operations', counted, async () => {
    const requests = await Promise.all(share(all, 12).map(([, operation]) => ready(operation)))
    const { result, calls } = await waits(async () => {
      const accepted: string[] = []
      for (const [at, made] of requests.entries()) {
        const [what, token] = garbage[at % garbage.length]!
        const headers = { ...made.headers, ...bearer(token()) }
        const { status } = await send({ ...made, headers })
        if (status !== 401) accepted.push(`${made.method} ${made.path} with ${what}: ${status}`)
      }
      return accepted
    }, 2_000)
    expect(result).toEqual([])
    expect([calls.neon, calls.redis]).toEqual([[], []])
  })

  test('a malformed request: no bearer, no key, a broken body, an unknown field', counted, async () => {
    const made = await Promise.all(
      idempotent
        .filter((_, at) => at % 4 === 0)
        .map(async ([, operation]) => ({ operation, request: await ready(operation) })),
    )
    const { calls } = await waits(async () => {
      for (const { operation, request } of made) {
        const { headers, ...rest } = request
        const { authorization, 'idempotency-key': _key, ...others } = headers
        await send({ ...rest, headers: others })
        if (operation.contract.idempotency === 'required')
          await send({ ...rest, headers: { ...others, authorization: authorization! } })
        if (rest.body) await send({ ...rest, headers }, '{')
        if (rest.body) await send({ ...rest, headers, body: { ...rest.body, unexpected: 1 } })
      }
    }, 2_000)
    expect([calls.neon, calls.redis]).toEqual([[], []])
  })
})

/** Runs `work` and returns its calls, and how many of them were waited for one after the other. */
async function waits<T>(work: () => Promise<T>, silentMs = 50) {
  await quiet(silentMs)
  await latency.set({ neonMs: 50, redisMs: 50 })
  const start = await counts.start()
  const result = await work()
  const endedAtMs = performance.timeOrigin + performance.now()
  const { neon, redis } = await counts.since(start)
  /** `sinceThen`: includes calls that went on, or began, after the reply. */
  const sinceThen = async () => (await counts.since(start)).neon.filter(isNotWoken)
  const calls = { neon: neon.filter(isNotWoken), redis: asked(redis), sinceThen }
  // A busy machine notes the end of a call a little after its reply was read; later calls end at least 50 ms after
  // that.
  return { result, calls, trips: sequentialTrips([...calls.neon, ...calls.redis], endedAtMs + 15) }
}

/**
 * Waits until the work of earlier requests is over: no new call at the gateways for `silentMs`, none under way, no
 * message on its way. Work may pause longer than that between two calls: a test that expects no call waits longer.
 */
async function quiet(silentMs: number): Promise<void> {
  let before = await counts.start()
  let silentSinceMs = performance.now()
  const isQuiet = async () => {
    if (await noticesWait()) await trigger('sandbox')
    const [rows, now] = await Promise.all([onTheWay(), counts.start()])
    const calls = await counts.since(before)
    const isOver = [...calls.neon, ...calls.redis].every(({ finishedAtMs }) => finishedAtMs !== undefined)
    const isSame = now.neon === before.neon && now.redis === before.redis
    before = now
    if (!isSame || !isOver || rows.length > 0) silentSinceMs = performance.now()
    return performance.now() - silentSinceMs >= silentMs
  }
  await expect.poll(isQuiet, { interval: 25 }).toBe(true)
}

/** Deliveries of a paused endpoint wait longer. */
const onTheWay = () =>
  adminSql('sandbox')(
    `select id from webhook_deliveries where status = 'in_flight'
       or (status = 'pending' and next_attempt_at < now() + interval '1 minute') limit 1`,
  )

/** Those that no request's reply was about wait for the scheduled run. */
const noticesWait = async () =>
  (await adminSql('sandbox')(`select id from mail_notices where status = 'waiting' limit 1`)).length > 0

/** A message of the queue may come a second after everything was delivered or mailed, and find nothing to do. */
const isNotWoken = (call: Call) =>
  !isForMails(call) && !call.statements.some((each) => each.includes('door.claim_deliveries'))

/** The calls that a reply waits for: the Worker may still store a proof in Redis when the next test counts. */
const asked = (calls: Call[]) =>
  calls.filter(({ statements }) => !statements.some((each) => /^set proof:/.test(each)))

function told({ neon, redis }: { neon: Call[]; redis: Call[] }): string {
  const start = Math.min(...[...neon, ...redis].map(({ startedAtMs }) => startedAtMs))
  return [...neon, ...redis]
    .map(({ startedAtMs, finishedAtMs, database, statements }) => {
      const until = finishedAtMs === undefined ? '…' : (finishedAtMs - start).toFixed(0)
      return `${(startedAtMs - start).toFixed(0)}-${until} ${database}: ${statements.join('; ')}`
    })
    .join('\n')
}
