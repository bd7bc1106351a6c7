import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, newLink, openLink, pay } from '../../support/merchant.ts'
import { newGoverned, newLocation, policyOf, setPolicy } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'

type Governed = Awaited<ReturnType<typeof newGoverned>>
type Made = { id: string; policy_version: string; error?: { code: string } }

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
const window = (window_days: number) => ({ refunds: { window_days } })
const months = (...terms: number[]) => ({ msi: { terms } })

const plan = (
  governed: Governed,
  settings: Parameters<typeof setPolicy>[1],
  planned: Parameters<typeof setPolicy>[4],
  location: string | null = null,
) => setPolicy(governed, settings, location, {}, planned)

const advance = async ({ merchant }: Governed, duration: string) => {
  const { status, text } = await call('POST', '/v1/sandbox/clock', {
    bearer: merchant.apiKey,
    body: { advance: duration },
  })
  expect(status, text).toBe(200)
}

const sell = ({ merchant }: Governed, terms: number[] = []) =>
  call<Made>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: {
      manual_amount: 120_000,
      currency: 'mxn',
      ...(terms.length > 0 ? { installment_options: terms.map((each) => ({ months: each })) } : {}),
    },
  })

const said = async ({ merchant }: Governed, query = '') => {
  const { body } = await policyOf(merchant, query)
  return { version: Number(body.policy_version), settings: body.settings, upcoming: body.upcoming }
}

test('four days of installments: shown before, sold from its beginning to its end, and then no more', async () => {
  const governed = await newGoverned()
  await setPolicy(governed, months(3))
  const [starts_at, ends_at] = [days(10), days(14)]
  const planned = await plan(governed, months(3, 6, 9, 12), { starts_at, ends_at })
  expect(planned.body).toMatchObject({
    version: 3,
    policy_version: '2',
    settings: months(3),
    effective: { msi: { terms: [3] } },
    upcoming: [
      { policy_version: '3', starts_at, settings: months(3, 6, 9, 12) },
      { policy_version: '4', starts_at: ends_at, settings: months(3) },
    ],
  })
  expect((await policyOf(governed.merchant)).body).toEqual(planned.body)
  expect((await sell(governed, [12])).body.error?.code).toBe('installments_unavailable')

  await advance(governed, 'P11D')
  const bearer = governed.merchant.apiKey
  const again = await call('GET', '/v1/payment-policy', { bearer, headers: { 'if-none-match': '"3"' } })
  expect([again.status, again.body]).toMatchObject([200, { version: 3, policy_version: '3' }])
  const during = await sell(governed, [12])
  expect(during.body).toMatchObject({ policy_version: '3' })
  expect(await said(governed)).toMatchObject({ version: 3, upcoming: [{ policy_version: '4' }] })

  await advance(governed, 'P4D')
  expect((await sell(governed, [12])).body.error?.code).toBe('installments_unavailable')
  expect((await sell(governed, [3])).body).toMatchObject({ policy_version: '4' })
  expect(await said(governed)).toMatchObject({ version: 4, settings: months(3), upcoming: [] })
})

test('what is for sale keeps the version of its creation, and so do its payments', async () => {
  const governed = await newGoverned()
  await plan(governed, window(5), { starts_at: days(1) })
  const link = await newLink(governed.merchant)
  await advance(governed, 'P2D')
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const [row] = await adminSql('sandbox')<{ policy_version: number }>(
    'select policy_version from payments where tenant_id = $1',
    [governed.merchant.tenantId],
  )
  expect([row?.policy_version, (await said(governed)).version]).toEqual([1, 2])
})

test('a change within what is planned is refused, naming it, unless it replaces it', async () => {
  const governed = await newGoverned()
  await plan(governed, window(5), { starts_at: days(2), ends_at: days(4) })
  for (const [planned, param] of [
    [{}, 'starts_at'],
    [{ ends_at: days(3) }, 'ends_at'],
    [{ starts_at: days(3) }, 'starts_at'],
    [{ starts_at: days(1), ends_at: days(5) }, 'ends_at'],
  ] as const)
    expect((await plan(governed, window(9), planned)).body.error, JSON.stringify(planned)).toMatchObject({
      code: 'payment_policy_planned',
      param,
    })
  expect(await said(governed)).toMatchObject({ version: 1, settings: {} })

  const beside = await plan(governed, window(9), { starts_at: days(5) })
  expect(beside.body.upcoming.map(({ settings }) => settings)).toEqual([window(5), {}, window(9)])
  const now = await plan(governed, window(7), { replaces_planned: true })
  expect(now.body).toMatchObject({ settings: window(7), upcoming: [] })
  await advance(governed, 'P10D')
  expect(await said(governed)).toMatchObject({ settings: window(7), upcoming: [] })
})

test('a change until a time: it holds at once, and then the level says what it said', async () => {
  const governed = await newGoverned()
  await setPolicy(governed, window(30))
  const until = await plan(governed, window(5), { ends_at: days(1) })
  expect(until.body).toMatchObject({ policy_version: '3', settings: window(5) })
  expect((await sell(governed)).body.policy_version).toBe('3')
  await advance(governed, 'P2D')
  expect(await said(governed)).toMatchObject({ settings: window(30), version: 4 })
})

test('a location plans for itself, within what the workspace says at that time', async () => {
  const governed = await newGoverned()
  const location = await newLocation(governed.merchant)
  await setPolicy(governed, months(3))
  await plan(governed, months(3, 6), { starts_at: days(2), ends_at: days(4) })
  expect((await plan(governed, months(6), { starts_at: days(1) }, location)).body.error).toMatchObject({
    code: 'payment_policy_too_wide',
    param: 'settings.msi.terms',
  })
  const own = await plan(governed, months(6), { starts_at: days(3) }, location)
  expect(own.body.upcoming).toMatchObject([{ settings: months(6) }])
  expect((await said(governed)).upcoming).toHaveLength(2)
  await advance(governed, `PT${3 * 24 + 1}H`)
  const { body } = await policyOf(governed.merchant, `?location_id=${location}`)
  expect(body).toMatchObject({ effective: { msi: { terms: [6] } }, sources: { 'msi.terms': 'location' } })
})

test('what one location plans stands beside changes of the workspace and of other locations', async () => {
  const governed = await newGoverned()
  const [one, other] = [await newLocation(governed.merchant), await newLocation(governed.merchant)]
  await plan(governed, window(5), { starts_at: days(2) }, one)
  expect((await setPolicy(governed, window(30))).body).toMatchObject({ settings: window(30), upcoming: [] })
  expect((await setPolicy(governed, window(20), other)).body).toMatchObject({ settings: window(20) })
  await advance(governed, 'P3D')
  expect(await said(governed, `?location_id=${one}`)).toMatchObject({ settings: window(5) })
  expect((await sell(governed)).body.policy_version).toBe('2')
})

test('refuses what begins in the past, ends before it begins, or lies too far ahead', async () => {
  const governed = await newGoverned()
  for (const [planned, param] of [
    [{ starts_at: days(-1) }, 'starts_at'],
    [{ ends_at: days(-1) }, 'ends_at'],
    [{ starts_at: days(2), ends_at: days(2) }, 'ends_at'],
    [{ starts_at: days(800) }, 'starts_at'],
    [{ ends_at: days(800) }, 'ends_at'],
  ] as const)
    expect((await plan(governed, window(9), planned)).body.error, JSON.stringify(planned)).toMatchObject({
      code: 'parameter_invalid',
      param,
    })
  const sql = adminSql('sandbox')
  await sql(
    'update payment_policies set version = 2, last_version = 2, has_planned = true where tenant_id = $1',
    [governed.merchant.tenantId],
  )
  await expect(
    sql(
      `insert into payment_policy_versions (tenant_id, id, version, settings, changes, is_planned, starts_at,
         created_by_user_id, created_by_email, created_at)
       values ($1, $2, 2, '{}', '[]', true, now() - interval '1 second', 'usr', 'ana@example.com', now())`,
      [governed.merchant.tenantId, randomUUID()],
    ),
  ).rejects.toThrow('another plan')
})

test('at most 20 changes of a level are planned', async () => {
  const governed = await newGoverned()
  for (let at = 0; at < 10; at++)
    expect(
      (await plan(governed, window(5), { starts_at: days(2 * at + 1), ends_at: days(2 * at + 2) })).status,
    ).toBe(200)
  const { body } = await plan(governed, window(5), { starts_at: days(30) })
  expect(body.error?.code).toBe('payment_policy_planned_max')
  expect((await said(governed)).upcoming).toHaveLength(20)
})

test('50 plans for one time: one stands', async () => {
  const governed = await newGoverned()
  const planned = { starts_at: days(1), ends_at: days(2) }
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) => plan(governed, window(at + 1), planned)),
  )
  const done = replies.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  expect(
    replies.filter(
      ({ status, body }) => status !== 200 && status !== 429 && body.error?.code !== 'payment_policy_planned',
    ),
  ).toEqual([])
  expect((await said(governed)).upcoming).toEqual(done[0]!.body.upcoming)
})

test('a planned version is never rewritten, but by the clock of the sandbox', async () => {
  const governed = await newGoverned()
  await plan(governed, window(5), { starts_at: days(1) })
  const sql = adminSql('sandbox')
  for (const set of ["settings = '{}'", "starts_at = starts_at + interval '1 day'"])
    await expect(
      sql(`update payment_policy_versions set ${set} where tenant_id = $1`, [governed.merchant.tenantId]),
    ).rejects.toThrow('append-only')
})
