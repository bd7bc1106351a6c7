import { expect, test } from 'vitest'
import { payInCash } from '../../support/cash.ts'
import { overtaking } from '../../support/gate.ts'
import { call, type Link, newLink, openLink, pay } from '../../support/merchant.ts'
import { newGoverned, newLocation, setPolicy } from '../../support/policy.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

type Governed = Awaited<ReturnType<typeof newGoverned>>

const create = (merchant: Governed['merchant'], fields: object) =>
  call<Link & { policy_version: string; error?: { code: string; param: string } }>(
    'POST',
    '/v1/payment-links',
    {
      bearer: merchant.apiKey,
      body: { manual_amount: 120_000, currency: 'mxn', ...fields },
    },
  )

const told = ({ status, body }: Awaited<ReturnType<typeof create>>) =>
  status === 201 ? `under ${body.policy_version}` : `${body.error?.code} at ${body.error?.param}`

test('a new link obeys the policy of its workspace, and that of its location', async () => {
  const governed = await newGoverned()
  const { merchant } = governed
  const location_id = await newLocation(merchant)
  const cash = { payment_method_types: ['oxxo'] }
  const months = { installment_options: [{ months: 12 }] }
  const marked = { installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 600 } }
  const made = async (...asked: object[]) =>
    Promise.all(asked.map(async (each) => told(await create(merchant, each))))

  expect(await made(cash, months, { capture_method: 'manual' })).toEqual(Array(3).fill('under 1'))
  await setPolicy(governed, {
    methods: { oxxo: { amount_max: { mxn: '100000' } } },
    msi: { terms: [3], markup_cap_bps: 500, fee_allocations: ['pass_to_buyer'] },
    capture: { manual_allowed: false },
  })
  await setPolicy(governed, { methods: { oxxo: { enabled: false } } }, location_id)
  const three = { installment_options: [{ months: 3 }] }
  expect(
    await made(
      cash,
      months,
      three,
      { ...three, ...marked },
      { capture_method: 'manual' },
      { ...cash, manual_amount: 100_000 },
      { ...cash, manual_amount: 100_000, location_id },
      {},
    ),
  ).toEqual([
    'amount_above_maximum at manual_amount',
    'installments_unavailable at installment_options.0.months',
    'fee_allocation_not_allowed at installment_pricing.fee_allocation',
    'markup_above_cap at installment_pricing.merchant_markup_bps',
    'manual_capture_not_allowed at capture_method',
    'under 3',
    'payment_method_unavailable at payment_method_types.0',
    'under 3',
  ])
  // What an isolate remembers of the policy decides nothing.
  await setPolicy(governed, {})
  expect(await made(cash, months, { capture_method: 'manual' })).toEqual(Array(3).fill('under 4'))
})

test('a link and its payments keep the version of its terms; new terms obey the policy as it is', async () => {
  const governed = await newGoverned()
  const { merchant } = governed
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'], usage: 'multi_use' })
  await setPolicy(governed, { methods: { oxxo: { enabled: false } } })
  const path = `/v1/payment-links/${link.id}`
  const patch = (body: object) =>
    call<Link & { policy_version: string; error?: { code: string } }>('PATCH', path, {
      bearer: merchant.apiKey,
      body,
    })
  expect((await patch({ description: 'Silla' })).body.policy_version).toBe('1')
  expect((await patch({ manual_amount: 130_000 })).body.error?.code).toBe('payment_method_unavailable')

  expect((await payInCash(link.public_id, await openLink(link.public_id), 'oxxo')).status).toBe(303)
  const { body } = await call<{ data: { policy_version: string; location_id: null }[] }>(
    'GET',
    `${path}/payments`,
    {
      bearer: merchant.apiKey,
    },
  )
  expect(body.data).toMatchObject([{ policy_version: '1', location_id: null }])
  const moved = `update payments set policy_version = 2 where tenant_id = $1`
  await expect(adminSql('sandbox')(moved, [merchant.tenantId])).rejects.toThrow(
    'another version of the policy',
  )

  const other = await newLink(merchant)
  const changed = await call<{ policy_version: string }>('PATCH', `/v1/payment-links/${other.id}`, {
    bearer: merchant.apiKey,
    body: { manual_amount: 130_000 },
  })
  expect(changed.body.policy_version).toBe('2')
})

test('a voucher lives as long as the policy says', async () => {
  const governed = await newGoverned()
  await setPolicy(governed, { methods: { oxxo: { expires_days: 1 } } })
  const link = await newLink(governed.merchant, { payment_method_types: ['oxxo'] })
  await payInCash(link.public_id, await openLink(link.public_id), 'oxxo')
  const [voucher] = await adminSql('sandbox')<{ days: number }>(
    `select (expires_at at time zone 'America/Mexico_City')::date - (created_at at time zone 'America/Mexico_City')::date
       as days from vouchers where tenant_id = $1`,
    [governed.merchant.tenantId],
  )
  expect(voucher!.days).toBe(1)
})

test('from the threshold on the bank confirms the buyer', async () => {
  const governed = await newGoverned()
  await setPolicy(governed, { three_ds: { required_from: { mxn: '120000' } } })
  const statusOf = async (manual_amount: number) => {
    const link = await newLink(governed.merchant, { manual_amount })
    await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
    const { body } = await call<{ data: { status: string }[] }>(
      'GET',
      `/v1/payment-links/${link.id}/payments`,
      {
        bearer: governed.merchant.apiKey,
      },
    )
    return body.data[0]!.status
  }
  expect([await statusOf(119_999), await statusOf(120_000)]).toEqual(['succeeded', 'requires_action'])
})

test('a payment is refunded within the window of its own version, and no later', async () => {
  const governed = await newGoverned()
  const before = await paidByCard(governed.merchant)
  await setPolicy(governed, { refunds: { window_days: 1 } })
  const within = await paidByCard(governed.merchant)
  const after = await paidByCard(governed.merchant)
  await setPolicy(governed, { refunds: { window_days: 30 } })
  const [{ day }] = (await adminSql('sandbox')<{ day: string }>(
    `update payments set succeeded_at = succeeded_at - case when id = $1 then 1 else 2 end * interval '1 day'
     where id = any($2) returning (((succeeded_at at time zone 'America/Mexico_City')::date + 1)::text) as day`,
    [within, [within, after, before]],
  )) as [{ day: string }]
  expect(day).toMatch(/^\d{4}-/)
  const told = async (payment_id: string) => {
    const { status, body } = await refund(governed.merchant, { payment_id })
    return status === 201 ? 'refunded' : (body as unknown as { error: { code: string } }).error.code
  }
  expect([await told(before), await told(within), await told(after)]).toEqual([
    'refunded',
    'refunded',
    'refund_window_closed',
  ])
})

test('a link that is made while a change of the policy is being recorded is under the new version', async () => {
  const governed = await newGoverned()
  const [, made] = await overtaking(
    governed.merchant,
    () => setPolicy(governed, { methods: { oxxo: { enabled: false } } }),
    () => create(governed.merchant, {}),
  )
  expect(told(made)).toBe('under 2')
})

test('50 links and 50 payments beside changes of the policy: each is under exactly one version, and within it', async () => {
  const governed = await newGoverned()
  const { merchant } = governed
  const sold = await newLink(merchant, { usage: 'multi_use', manual_amount: 60_000 })
  const maxima = ['50000', '70000', '40000', '90000', '30000']
  const forms = await Promise.all(Array.from({ length: 50 }, () => openLink(sold.public_id)))
  const [, links, paid] = await Promise.all([
    (async () => {
      for (const mxn of maxima) await setPolicy(governed, { methods: { card: { amount_max: { mxn } } } })
    })(),
    Promise.all(
      Array.from({ length: 50 }, (_, at) => create(merchant, { manual_amount: 25_000 + 1_000 * at })),
    ),
    Promise.all(forms.map((form) => pay(sold.public_id, form, 'tok_sbx_approve'))),
  ])
  expect(new Set(paid.map(({ status }) => status))).toEqual(new Set([303]))
  for (const { status, body } of links)
    if (status !== 201) expect(body.error?.code, JSON.stringify(body)).toBe('amount_above_maximum')
  // Judged again by what the database keeps: the maximum of the version that each row names.
  const outside = await adminSql('sandbox')(
    `with sold as (
       select id, policy_version, amount_minor, created_at from payment_links where tenant_id = $1
       union all
       select p.id, p.policy_version, p.amount_minor, p.created_at from payments p
       join payment_links l on l.tenant_id = p.tenant_id and l.id = p.origin_id and l.policy_version <> p.policy_version
       where p.tenant_id = $1)
     select s.*, v.settings from sold s
     join payment_policy_versions v on v.tenant_id = $1 and v.version = s.policy_version
     where s.amount_minor > coalesce((v.settings #>> '{methods,card,amount_max,mxn}')::bigint, s.amount_minor)`,
    [merchant.tenantId],
  )
  expect(outside).toEqual([])
  const [counted] = await adminSql('sandbox')<{ count: string; versions: string }>(
    'select count(*), count(distinct policy_version) as versions from payments where tenant_id = $1',
    [merchant.tenantId],
  )
  expect(counted).toEqual({ count: '50', versions: '1' })
})
