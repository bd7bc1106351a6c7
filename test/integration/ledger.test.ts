import '../property/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerBank } from '../support/bank.ts'
import {
  attemptsOf,
  balancesOf,
  brokenRules,
  journalsOf,
  paymentsOf,
  settleAttempts,
} from '../support/books.ts'
import { call, type Link, type Merchant, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { isWhole } from '../support/share.ts'
import { adminSql, trigger } from '../support/stack.ts'

const tokens = [
  'tok_sbx_approve',
  'tok_sbx_debit',
  'tok_sbx_msi_3_6_9_12',
  'tok_sbx_3ds_challenge',
  'tok_sbx_3ds_fail',
  'tok_sbx_decline_funds',
  'tok_sbx_decline_generic',
  'tok_sbx_expired',
  'tok_sbx_fraud',
  'tok_sbx_timeout_then_paid',
  'tok_sbx_timeout_then_failed',
  'tok_sbx_amount_mismatch',
] as const

const terms = [3, 6, 9, 12]

type LinkTerms = { currency: string; amount: number; usage: string; months: number[]; markupBps: number }

const linkTerms: fc.Arbitrary<LinkTerms> = fc.oneof(
  fc.record({
    currency: fc.constant('mxn'),
    amount: fc.integer({ min: 120_000, max: 50_000_000 }),
    usage: fc.constantFrom('single_use', 'multi_use', 'multi_use'),
    months: fc.subarray(terms),
    markupBps: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })),
  }),
  fc.record({
    currency: fc.constantFrom('mxn', 'usd'),
    amount: fc.integer({ min: 1_000, max: 200_000 }),
    usage: fc.constantFrom('single_use', 'multi_use', 'multi_use'),
    months: fc.constant<number[]>([]),
    markupBps: fc.constant(0),
  }),
)

type Step =
  | { kind: 'pay'; link: number; token: (typeof tokens)[number]; term: number; twice: boolean }
  | { kind: 'retry'; payment: number; token: (typeof tokens)[number] }
  | { kind: 'bank'; attempt: number; outcome: 'approve' | 'fail' }
  | { kind: 'reconciler' | 'abandon' | 'release' | 'expire' }
  | { kind: 'link'; link: number; move: 'deactivate' | 'activate' | 'revoke' | 'archive' }

const at = fc.nat(7)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      link: at,
      token: fc.constantFrom(...tokens),
      term: at,
      twice: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('retry' as const),
      payment: at,
      token: fc.constantFrom(...tokens),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('bank' as const),
      attempt: at,
      outcome: fc.constantFrom('approve' as const, 'fail' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('reconciler', 'abandon', 'release', 'expire'),
    }) as fc.Arbitrary<Step>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      link: at,
      move: fc.constantFrom('deactivate', 'activate', 'revoke', 'archive'),
    }) as fc.Arbitrary<Step>,
  },
)

const linkOf = (merchant: Merchant, { currency, amount, usage, months, markupBps }: LinkTerms) =>
  newLink(merchant, {
    currency,
    usage,
    manual_amount: amount,
    installment_options: months.map((each) => ({ months: each })),
    ...(months.length > 0 && markupBps > 0
      ? { installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: markupBps } }
      : {}),
  })

type World = { merchant: Merchant; links: Link[]; of: LinkTerms[] }

const among = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)]

/** The form of the page, while the link takes a payment. */
const formOf = (link: Link, query = '') => openLink(link.public_id, query).catch(() => null)

async function payStep(
  { links, of }: World,
  { link: index, token, term, twice }: Extract<Step, { kind: 'pay' }>,
) {
  const link = among(links, index)!
  const { months } = among(of, index)!
  const form = await formOf(link)
  if (!form) return
  const chosen = months.length > 0 ? (among([1, ...months], term) ?? 1) : undefined
  const copies = twice ? [1, 2] : [1]
  await Promise.all(copies.map(() => pay(link.public_id, form, token, chosen)))
}

async function retryStep(
  { merchant, links, of }: World,
  { payment, token }: Extract<Step, { kind: 'retry' }>,
) {
  const rows = await adminSql('sandbox')<{ public_id: string; origin_id: string }>(
    `select public_id, origin_id from payments where tenant_id = $1 and status = 'requires_payment_method' order by id`,
    [merchant.tenantId],
  )
  const before = among(rows, payment)
  const index = links.findIndex(({ id }) => id === before?.origin_id)
  const form = before && (await formOf(links[index]!, `?retry=${before.public_id}`))
  if (form) await pay(links[index]!.public_id, form, token, of[index]!.months.length > 0 ? 1 : undefined)
}

async function bankStep({ merchant }: World, { attempt, outcome }: Extract<Step, { kind: 'bank' }>) {
  const asked = (await attemptsOf(merchant.tenantId)).filter(({ status }) => status === 'pending_customer')
  const one = among(asked, attempt)
  if (one) await answerBank(one.id, outcome)
}

/** Moves this merchant's times into the past and runs what is then due. */
const shifts = {
  reconciler: `update payment_attempts set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
  abandon: `update payment_attempts set next_check_at = now() - interval '1 second', expires_at = expires_at - interval '31 minutes'
    where tenant_id = $1 and next_check_at is not null`,
  release: `update payments set available_on = '2026-01-02' where tenant_id = $1 and funds_status = 'pending'`,
  expire: `update payments set expires_at = now() - interval '1 second' where tenant_id = $1 and expires_at is not null`,
}

async function take(world: World, one: Step): Promise<void> {
  const { merchant, links } = world
  switch (one.kind) {
    case 'pay':
      return payStep(world, one)
    case 'retry':
      return retryStep(world, one)
    case 'bank':
      return bankStep(world, one)
    case 'link':
      await call('POST', `/v1/payment-links/${among(links, one.link)!.id}/${one.move}`, {
        bearer: merchant.apiKey,
      })
      return
    default:
      await adminSql('sandbox')(shifts[one.kind], [merchant.tenantId])
      await trigger('sandbox')
  }
}

/** The interface's figures for the merchant's money match the sum of the payments that succeeded. */
async function balanceAgrees({ merchant }: World): Promise<void> {
  const rows = await adminSql('sandbox')<{ currency: string; pending: string; available: string }>(
    `select currency, coalesce(sum(net_minor) filter (where funds_status = 'pending'), 0)::text pending,
       coalesce(sum(net_minor) filter (where funds_status = 'available'), 0)::text available
     from payments where tenant_id = $1 and status = 'succeeded' group by currency order by currency`,
    [merchant.tenantId],
  )
  const { body } = await call('GET', '/v1/payment-operations/balance', { bearer: merchant.apiKey })
  const others = {
    reserve: '0',
    in_flight: { refunds: '0', transfers: '0', payouts: '0' },
    held: '0',
    unapplied: '0',
    overdrawn: '0',
  }
  expect(body).toEqual({ object: 'balance', currencies: rows.map((row) => ({ ...row, ...others })) })
}

test('random histories of payments: the books balance after each', { timeout: 600_000 }, async () => {
  const runs = Number(process.env.RUNS ?? (isWhole ? 25 : 10))
  const totals = { payments: 0, captures: 0, releases: 0 }
  const history = fc.tuple(
    fc.array(linkTerms, { minLength: 1, maxLength: 4 }),
    fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }),
  )
  await fc.assert(
    fc.asyncProperty(history, async ([of, steps]) => {
      const merchant = await newMerchant()
      const links = await Promise.all(of.map((each) => linkOf(merchant, each)))
      const world = { merchant, links, of }
      for (const one of steps) await take(world, one)
      expect(await brokenRules(merchant.tenantId)).toEqual([])
      await settleAttempts(merchant.tenantId, 3)
      expect(await brokenRules(merchant.tenantId)).toEqual([])
      await balanceAgrees(world)
      const sum = Object.values(await balancesOf(merchant.tenantId)).reduce((total, each) => total + each, 0n)
      expect(sum).toBe(0n)
      const journals = await journalsOf(merchant.tenantId)
      totals.payments += (await paymentsOf(merchant.tenantId)).length
      totals.captures += journals.capture ?? 0
      totals.releases += journals.release ?? 0
    }),
    // They take minutes, not the seconds of a property of pure functions.
    { numRuns: runs, endOnFailure: true, interruptAfterTimeLimit: 800_000 },
  )
  console.log(`ledger histories: survived ${runs} of ${runs} (${JSON.stringify(totals)})`)
  expect(totals.captures).toBeGreaterThan(0)
})
