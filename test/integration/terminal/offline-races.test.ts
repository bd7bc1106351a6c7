import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { configures, newConfiguration, offline } from '../../support/configurations.ts'
import { asks, newCode } from '../../support/devices.ts'
import { overtaking } from '../../support/gate.ts'
import {
  allowanceOf,
  forwards,
  listOffline,
  newOfflineCounter,
  offlineBooks,
  outcomes,
  pairSigning,
  stores,
} from '../../support/offline.ts'
import { adminSql } from '../../support/stack.ts'
import { many, times } from '../../support/terminal.ts'

/** What each of the batches was answered by name, once all of them are over. */
const settled = async (counter: Awaited<ReturnType<typeof newOfflineCounter>>) =>
  expect
    .poll(async () => (await listOffline(counter.merchant)).map(({ status }) => status), { timeout: 20_000 })
    .not.toContain('forwarding')

test('a batch that is sent 50 times at once makes each of its payments once', async () => {
  const counter = await newOfflineCounter()
  const tokens = ['tok_sbx_approve', 'tok_sbx_decline_funds', 'tok_sbx_approve']
  const batch = await Promise.all(tokens.map((token) => stores(counter, { token })))
  const replies = await times(() => forwards(counter, batch))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(many)
  const ids = new Set(replies.map(({ body }) => body.results.map((each) => each.offline_payment_id).join()))
  expect(ids.size).toBe(1)
  await settled(counter)
  expect(outcomes(await forwards(counter, batch))).toEqual(['succeeded', 'declined', 'succeeded'])
  expect(await offlineBooks(counter.merchant)).toEqual({
    payments: 3,
    captured: '24000',
    charged: '24000',
    losses: 1,
    lost: '12000',
  })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('50 batches that overlap, each in an order of its own, make each payment once', async () => {
  const counter = await newOfflineCounter()
  const stored = await Promise.all(Array.from({ length: 10 }, () => stores(counter)))
  const replies = await times((at) => {
    const part = [0, 3, 7, 9].map((step) => stored[(at * (at % 2 ? 3 : 7) + step) % 10]!)
    return forwards(counter, part, { has_more: at % 3 > 0 })
  })
  expect(replies.map(({ status }) => status)).toEqual(Array(many).fill(200))
  await settled(counter)
  expect(outcomes(await forwards(counter, stored))).toEqual(Array(10).fill('succeeded'))
  expect(await offlineBooks(counter.merchant)).toMatchObject({
    payments: 10,
    captured: '120000',
    charged: '120000',
  })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('of 50 payments at once no more is taken than the reader was allowed to store', async () => {
  const counter = await newOfflineCounter()
  const stored = await times(() => stores(counter, { amount: '45000' }))
  const replies = await Promise.all(stored.map((each) => forwards(counter, [each], { has_more: true })))
  const statuses = replies.flatMap(outcomes)
  expect(statuses.filter((status) => status === 'refused stored_amount_above_maximum')).toHaveLength(many - 4)
  await settled(counter)
  expect(await offlineBooks(counter.merchant)).toMatchObject({ payments: 4, captured: '180000' })
})

test('while the configuration changes 50 times, a reader has one open allowance, that of the last change', async () => {
  const counter = await newOfflineCounter()
  const { merchant, reader, configuration } = counter
  const stored = await Promise.all(Array.from({ length: 10 }, () => stores(counter)))
  const [changes, replies] = await Promise.all([
    times((at) =>
      configures(merchant, 'PATCH', `/${configuration.id}`, {
        offline: { ...offline, amount_max: String(20_000 + at) },
      }),
    ),
    Promise.all(stored.map((each) => forwards(counter, [each]))),
  ])
  expect(changes.map(({ status }) => status)).toEqual(Array(many).fill(200))
  expect(replies.flatMap(outcomes)).toEqual(Array(10).fill('succeeded'))
  const { body } = await configures(merchant, 'GET', `/${configuration.id}`)
  expect((await allowanceOf(reader))?.amount_max).toBe(body.offline.amount_max)
  const open = await adminSql('sandbox')(
    'select from offline_allowances where tenant_id = $1 and ended_at is null',
    [merchant.tenantId],
  )
  expect(open).toHaveLength(1)
})

describe('what changes meanwhile counts: after', () => {
  const disabled = { offline: { ...offline, enabled: false } }
  const enabled = { offline }

  test.each([
    ['PATCH' as const, '', disabled],
    ['POST' as const, '/archive', undefined],
  ])(
    'a reader forwards all and its configuration ends by %s%s, nothing is allowed',
    async (method, to, body) => {
      const counter = await newOfflineCounter()
      const { merchant, reader, configuration } = counter
      const stored = await stores(counter)
      const [forwarded, changed] = await overtaking(
        merchant,
        () => forwards(counter, [stored]),
        () => configures(merchant, method, `/${configuration.id}${to}`, body),
      )
      expect([forwarded.status, changed.status]).toEqual([200, 200])
      expect(await allowanceOf(reader)).toBeNull()
    },
  )

  test.each(['first', 'last'])(
    'a reader pairs %s while its configuration is enabled, it may store',
    async (order) => {
      const { merchant, reader, configuration, key } = await newOfflineCounter(undefined, disabled)
      await asks(merchant.apiKey, 'POST', `/v1/terminal/readers/${reader.id}/unpair`)
      const code = await newCode(merchant, reader)
      const pair = () => pairSigning(code, key)
      const enable = () => configures(merchant, 'PATCH', `/${configuration.id}`, enabled)
      const paired =
        order === 'first'
          ? (await overtaking(merchant, pair, enable))[0]
          : (await overtaking(merchant, enable, pair))[1]
      expect(await allowanceOf({ credential: paired.body.one_time_value! })).toMatchObject({
        amount_max: '50000',
      })
    },
  )

  test('a reader names none itself any more while that of its location is enabled, it may store', async () => {
    const { merchant, reader } = await newOfflineCounter()
    const { id } = await newConfiguration(merchant, disabled)
    const names = (at: string, of: string | null) =>
      asks(merchant.apiKey, 'PATCH', at, { terminal_configuration_id: of })
    await names(`/v1/workspace/locations/${reader.location_id}`, id)
    await overtaking(
      merchant,
      () => configures(merchant, 'PATCH', `/${id}`, enabled),
      () => names(`/v1/terminal/readers/${reader.id}`, null),
    )
    expect(await allowanceOf(reader)).toMatchObject({ amount_max: '50000' })
  })

  test('a configuration is archived, nothing names it any more', async () => {
    const { merchant, reader } = await newOfflineCounter()
    for (const at of [`/v1/terminal/readers/${reader.id}`, `/v1/workspace/locations/${reader.location_id}`]) {
      const { id: gone } = await newConfiguration(merchant)
      const [, named] = await overtaking(
        merchant,
        () => configures(merchant, 'POST', `/${gone}/archive`),
        () => asks(merchant.apiKey, 'PATCH', at, { terminal_configuration_id: gone }),
      )
      expect(named.body).toMatchObject({ error: { code: 'terminal_configuration_archived' } })
    }
  })
})
