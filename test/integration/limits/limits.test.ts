import { expect, test } from 'vitest'
import { refusedWhile } from '../../../functions/insight/limits/capabilities.ts'
import { accountOf, newBankAccount } from '../../support/bank-accounts.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { payOut, settingsFor } from '../../support/payouts.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'
import { endow, transfer } from '../../support/transfers.ts'

type Limit = { name: string; value: string; used: string | null; currency: string | null; source: string }
type Capability = {
  name: string
  method: string | null
  allowed: boolean
  reasons: { code: string; source: string; until: string | null }[]
}
type Limits = { status: string; capabilities: Capability[]; limits: Limit[] }

const limitsOf = async ({ apiKey }: Merchant) => {
  const { status, body, text } = await call<Limits>('GET', '/v1/workspace/limits', { bearer: apiKey })
  expect(status, text).toBe(200)
  return { ...body, named: Object.fromEntries(body.limits.map((limit) => [limit.name, limit])) }
}

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  (body as { error?: { code: string } }).error?.code ?? status

const evaluate = async ({ apiKey }: Merchant, body: object) => {
  const path = '/v1/payment-policy/evaluations'
  const reply = await call<{ reasons: { code: string }[] }>('POST', path, {
    bearer: apiKey,
    body: { currency: 'mxn', ...body },
  })
  return reply.body.reasons.map(({ code }) => code)
}

type Proof = (merchant: Merchant, most: number) => Promise<readonly [within: unknown, beyond: unknown]>

const judged =
  (asked: (amount: string) => object, step: number): Proof =>
  async (merchant, most) => [
    await evaluate(merchant, asked(most.toString())),
    await evaluate(merchant, asked((most + step).toString())),
  ]

const location = async ({ apiKey }: Merchant, metadata: object) =>
  codeOf(await call('POST', '/v1/workspace/locations', { bearer: apiKey, body: { name: 'Roma', metadata } }))

/** What is allowed at the limit that is shown, and what is refused beyond it. */
const proofs: readonly [name: string, proof: Proof, refusal: unknown, allowed?: unknown][] = [
  ...['card', 'oxxo', 'spei'].flatMap((method): [string, Proof, unknown, unknown][] => [
    [
      `methods.${method}.amount_min.mxn`,
      judged((amount) => ({ method, amount }), -1),
      ['amount_below_minimum'],
      [],
    ],
    [
      `methods.${method}.amount_max.mxn`,
      judged((amount) => ({ method, amount }), 1),
      ['amount_above_maximum'],
      [],
    ],
  ]),
  [
    'msi.amount_min.6',
    judged((amount) => ({ amount, months: 6, card: { bin: '40000048', funding: 'credit' } }), -1),
    ['installments_unavailable'],
    [],
  ],
  [
    'page',
    async ({ apiKey }, most) => {
      const page = async (limit: number) =>
        codeOf(await call('GET', `/v1/payment-links?limit=${limit}`, { bearer: apiKey }))
      return [await page(most), await page(most + 1)]
    },
    'parameter_invalid',
    200,
  ],
  [
    'request_body',
    async ({ apiKey }, most) => {
      const send = async (bytes: number) => {
        const body = { name: 'x'.repeat(bytes - '{"name":""}'.length) }
        return codeOf(await call('POST', '/v1/workspace/locations', { bearer: apiKey, body }))
      }
      return [await send(most), await send(most + 1)]
    },
    'body_too_large',
    'parameter_invalid',
  ],
  [
    'metadata_keys',
    async (merchant, most) => {
      const keys = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, 1]))
      return [await location(merchant, keys(most)), await location(merchant, keys(most + 1))]
    },
    'parameter_invalid',
    201,
  ],
  [
    'payment_link_life',
    async ({ apiKey }, most) => {
      const link = async (days: number) => {
        const expires_at = new Date(Date.now() + days * 86_400_000 + 60_000).toISOString()
        const body = { manual_amount: 10_000, currency: 'mxn', expires_at }
        return codeOf(await call('POST', '/v1/payment-links', { bearer: apiKey, body }))
      }
      return [await link(most - 1), await link(most)]
    },
    'parameter_invalid',
    201,
  ],
  [
    'transfers_per_day.mxn',
    async (merchant, most) => {
      await endow(merchant, BigInt(most) + 1n)
      const send = async (amount: number) =>
        (await transfer(merchant, { amount: amount.toString() })).body.status
      const first = await send(most)
      expect((await limitsOf(merchant)).named['transfers_per_day.mxn']!.used).toBe(most.toString())
      return [first, await send(1)]
    },
    'pending_approval',
    'pending',
  ],
  [
    'payout_minimum.mxn',
    async (merchant, least) => {
      await endow(merchant, BigInt(least) - 1n)
      const below = codeOf(await payOut(merchant))
      await endow(merchant, 1n)
      return [codeOf(await payOut(merchant)), below]
    },
    'payout_below_minimum',
    201,
  ],
]

test.each(proofs)('%s is what is enforced', async (name, proof, refusal, allowed) => {
  const merchant = await newMerchant()
  await settingsFor(merchant, { amount_min: '5000' })
  const limit = (await limitsOf(merchant)).named[name]!
  expect(await proof(merchant, Number(limit.value))).toEqual([allowed, refusal])
})

test('a narrower policy shows its own number and that it is the policy’s', async () => {
  const { merchant, admin } = await newGoverned()
  const before = (await limitsOf(merchant)).named['methods.oxxo.amount_max.mxn']!
  await setPolicy(
    { merchant, admin },
    { methods: { oxxo: { amount_max: { mxn: '50000' } }, spei: { enabled: false } } },
  )
  const { named, capabilities } = await limitsOf(merchant)
  expect([before.source, named['methods.oxxo.amount_max.mxn']]).toMatchObject([
    'platform',
    { value: '50000', source: 'policy', currency: 'mxn' },
  ])
  expect(capabilities.find(({ method }) => method === 'spei')).toMatchObject({
    allowed: false,
    reasons: [{ code: 'payment_method_unavailable', source: 'policy' }],
  })
  expect(await evaluate(merchant, { method: 'spei', amount: '50000' })).toEqual([
    'payment_method_unavailable',
  ])
})

test('what the workspace may not do is what is refused: no account, one that cools down, suspended', async () => {
  const merchant = await newMerchant()
  const sql = adminSql('sandbox')
  const payouts = async () => {
    const { capabilities } = await limitsOf(merchant)
    return capabilities.find(({ name }) => name === 'payouts')!
  }
  const agrees = async (code: string) => {
    const { allowed, reasons } = await payouts()
    expect([allowed, reasons[0]?.code]).toEqual([false, code])
    expect(codeOf(await payOut(merchant))).toBe(code)
  }
  await agrees('payout_settings_missing')
  await endow(merchant, 5_000n)
  await newBankAccount(merchant, { clabe: accountOf('99') })
  await settingsFor(merchant)
  expect(await payouts()).toMatchObject({ allowed: true, reasons: [] })
  await sql(`update bank_accounts set cool_down_ends_at = now() + interval '1 hour' where tenant_id = $1`, [
    merchant.tenantId,
  ])
  await agrees('payout_account_cooling_down')
  expect((await payouts()).reasons[0]!.until).not.toBeNull()
  await sql(`update bank_accounts set cool_down_ends_at = null where tenant_id = $1`, [merchant.tenantId])
  await sql(`update tenants set status = 'suspended' where tenant_id = $1`, [merchant.tenantId])
  await agrees('workspace_suspended')
})

test('each status holds what the database’s triggers hold', async () => {
  const tables = { payment_attempts: 'payments', payouts: 'payouts', transfers: 'transfers' } as const
  const rows = await adminSql('sandbox')<{ table: keyof typeof tables; statuses: string }>(
    `select tgrelid::regclass::text as table, encode(tgargs, 'escape') as statuses from pg_trigger
     where tgfoid = 'door.refuse_while()'::regprocedure and tgrelid::regclass::text = any ($1)`,
    [Object.keys(tables)],
  )
  const held = rows.map(({ table, statuses }) => [tables[table], statuses.split('\\000').filter(Boolean)])
  expect(Object.fromEntries(held)).toEqual(refusedWhile)
})
