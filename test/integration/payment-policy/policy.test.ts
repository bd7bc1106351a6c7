import { expect, test } from 'vitest'
import { call } from '../../support/merchant.ts'
import { newGoverned, newLocation, policyOf, setPolicy } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'

test('a workspace begins with version 1, which is the platform’s', async () => {
  const { merchant } = await newGoverned()
  const { body } = await policyOf(merchant)
  expect(body).toMatchObject({
    version: 1,
    location_id: null,
    settings: {},
    effective: {
      methods: { oxxo: { enabled: true, amount_max: { mxn: '1000000' }, expires_days: 3 } },
      msi: { terms: [3, 6, 9, 12], amount_min: { 3: '30000', 12: '120000' }, markup_cap_bps: 3000 },
    },
  })
  expect(new Set(Object.values(body.sources))).toEqual(new Set(['platform']))
})

test('workspace and location narrow each other, each in its turn; versions say who changed what', async () => {
  const governed = await newGoverned()
  const { merchant, admin } = governed
  const location = await newLocation(merchant)
  const maximum = (mxn: string) => ({ methods: { oxxo: { amount_max: { mxn } } } })

  expect((await setPolicy(governed, maximum('500000'))).body.version).toBe(2)
  const own = await setPolicy(governed, { ...maximum('400000'), msi: { terms: [3] } }, location)
  expect(own.body).toMatchObject({
    version: 3,
    location_id: location,
    effective: { methods: { oxxo: { amount_max: { mxn: '400000' } } } },
    sources: {
      'methods.oxxo.amount_max.mxn': 'location',
      'msi.terms': 'location',
      'msi.amount_min.3': 'platform',
    },
  })
  const wider = await setPolicy(governed, maximum('500001'), location)
  expect([wider.status, wider.body.error]).toMatchObject([
    422,
    { code: 'payment_policy_too_wide', param: 'settings.methods.oxxo.amount_max.mxn' },
  ])
  // The workspace may narrow below its location: the narrower holds.
  await setPolicy(governed, maximum('300000'))
  expect((await policyOf(merchant, `?location_id=${location}`)).body).toMatchObject({
    version: 4,
    effective: { methods: { oxxo: { amount_max: { mxn: '300000' } } }, msi: { terms: [3] } },
    sources: { 'methods.oxxo.amount_max.mxn': 'workspace' },
  })
  expect((await policyOf(merchant)).body).toMatchObject({ effective: { msi: { terms: [3, 6, 9, 12] } } })

  const { body } = await call<{ data: Record<string, unknown>[] }>('GET', '/v1/payment-policy/versions', {
    bearer: merchant.apiKey,
  })
  expect(body.data).toMatchObject([
    {
      version: 4,
      location_id: null,
      changes: [{ field: 'methods.oxxo.amount_max.mxn', from: '500000', to: '300000' }],
      author: { user_id: admin.userId, email: admin.email },
    },
    { version: 3, location_id: location },
    { version: 2, changes: [{ field: 'methods.oxxo.amount_max.mxn', from: null, to: '500000' }] },
    { version: 1, author: null, changes: [] },
  ])
  const filtered = await call<{ data: { id: string }[] }>(
    'GET',
    `/v1/payment-policy/versions?location_id=${location}&version=3`,
    { bearer: merchant.apiKey },
  )
  expect(filtered.body.data).toHaveLength(1)
})

test('a version that no row can have is refused', async () => {
  const { merchant } = await newGoverned()
  const asked = (version: string) =>
    call<{ error?: { code: string; param: string } }>(
      'GET',
      `/v1/payment-policy/versions?version=${version}`,
      {
        bearer: merchant.apiKey,
      },
    )
  for (const version of ['2147483648', '9007199254740991', '0', '1e1', '0x1', '%201'])
    expect((await asked(version)).body.error, version).toMatchObject({
      code: 'parameter_invalid',
      param: 'version',
    })
  expect((await asked('2147483647')).status).toBe(200)
})

test.each([
  ['nobody’s location', (other: string) => other, 'location_not_found'],
  ['a method that the platform does not price', () => null, 'payment_policy_too_wide'],
])('refused: %s', async (_what, locationOf, code) => {
  const [governed, other] = await Promise.all([newGoverned(), newGoverned()])
  const location = locationOf(await newLocation(other.merchant))
  const { body } = await setPolicy(governed, { methods: { oxxo: { amount_min: { mxn: '1' } } } }, location)
  expect(body.error?.code).toBe(code)
  expect((await policyOf(governed.merchant)).body.version).toBe(1)
})

test('50 changes at once: versions without a gap, and the last one holds', async () => {
  const governed = await newGoverned()
  const days = Array.from({ length: 50 }, (_, at) => 300 - at)
  const replies = await Promise.all(
    days.map((window_days) => setPolicy(governed, { refunds: { window_days } })),
  )
  // The rate of one session is limited: what was not admitted changed nothing.
  const done = replies.filter(({ status }) => status === 200)
  expect(replies.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
  expect(done.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(done.map((_, at) => at + 2))
  const last = done.reduce((a, b) => (a.body.version > b.body.version ? a : b))
  expect((await policyOf(governed.merchant)).body).toMatchObject({
    version: done.length + 1,
    settings: last.body.settings,
  })
})

test('a version is never rewritten', async () => {
  const { merchant } = await newGoverned()
  const sql = adminSql('sandbox')
  for (const statement of [
    'update payment_policy_versions set settings = settings where tenant_id = $1',
    'delete from payment_policy_versions where tenant_id = $1',
  ])
    await expect(sql(statement, [merchant.tenantId])).rejects.toThrow('append-only')
})

const evaluate = async (body: object) =>
  (
    await call<Record<string, unknown>>('POST', '/v1/payment-policy/evaluations', {
      bearer: (await newGoverned()).merchant.apiKey,
      body: { amount: '120000', currency: 'mxn', ...body },
    })
  ).body

test('an evaluation promises installments only for a BIN that has them', async () => {
  const msi = { bin: '40000048', funding: 'credit' }
  const months = (reply: Record<string, unknown>) =>
    (reply.offers as { months: number }[]).map((o) => o.months)
  expect(months(await evaluate({}))).toEqual([1])
  expect(months(await evaluate({ card: msi }))).toEqual([1, 3, 6, 9, 12])
  expect(months(await evaluate({ card: { bin: '400000' } }))).toEqual([1])
  expect(months(await evaluate({ card: { ...msi, funding: 'debit' } }))).toEqual([1])
  expect(await evaluate({ months: 3 })).toMatchObject({
    allowed: false,
    offers: [],
    reasons: [{ code: 'installments_unavailable' }],
  })
  expect(await evaluate({ months: 3, card: msi })).toMatchObject({
    allowed: true,
    offers: [{ months: 3, per_month: '40000', buyer_total: '120000', merchant_fee_estimate: '11275' }],
  })
  expect(await evaluate({ method: 'oxxo', amount: '1000001' })).toMatchObject({
    allowed: false,
    reasons: [{ code: 'amount_above_maximum', field: 'methods.oxxo.amount_max.mxn' }],
  })
})
