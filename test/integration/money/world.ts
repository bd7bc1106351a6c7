import { randomUUID } from 'node:crypto'
import { clabeWithCheckDigit } from '../../../src/kernel/clabe.ts'
import { answerBank } from '../../support/bank.ts'
import { call, type Merchant, newLink, newMerchant, openLink, type Reply } from '../../support/merchant.ts'
import { settingsFor } from '../../support/payouts.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import type { Command, Part } from './commands.ts'
import { insisting, insistingOn } from './insisting.ts'

/** A merchant, another to send money to, and the reply to each Idempotency-Key. */
export interface World {
  readonly merchant: Merchant
  readonly other: Merchant
  readonly told: Map<string, number>
  /** How many requests were sent that have an Idempotency-Key. */
  posts: number
  /** Servers are killed meanwhile: a request without an answer, or with 503, is sent again unchanged. */
  readonly insists: boolean
}

const clabes = {
  clabe: clabeWithCheckDigit('01218000000000099'),
  closed_clabe: clabeWithCheckDigit('01218000000000011'),
  returning_clabe: clabeWithCheckDigit('01218000000000017'),
}

export async function newWorld(insists = false): Promise<World> {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await settingsFor(merchant)
  return { merchant, other, told: new Map(), posts: 0, insists }
}

const shareOf = (part: Part, wholeMinor: bigint): bigint =>
  ({
    all: wholeMinor,
    half: wholeMinor / 2n,
    third: wholeMinor / 3n,
    one: 1n,
    more: wholeMinor + 1n,
    zero: 0n,
    negative: -wholeMinor,
  })[part]

type Row = { id: string; whole: string; ref: string }

/** One row of the merchant's, by position; undefined when there is none. */
async function pick({ merchant }: World, which: number, select: string): Promise<Row | undefined> {
  const rows = await adminSql('sandbox')<Row>(`${select} order by 1`, [merchant.tenantId])
  return rows[which % Math.max(rows.length, 1)]
}

const repeatedEach = 3

/**
 * Sends a POST under an Idempotency-Key: each third one, and each while servers are killed, twice more at once under the
 * same key: one effect, one reply. A refusal by a rule is allowed; a 5xx of ours is not.
 */
async function post(world: World, path: string, body?: object): Promise<Reply> {
  const { merchant, told } = world
  const headers = { 'idempotency-key': randomUUID() }
  const send = () =>
    insisting(world, () =>
      call('POST', path, { bearer: merchant.apiKey, headers, ...(body ? { body } : {}) }),
    )
  const first = await send()
  const isRepeated = world.insists || world.posts++ % repeatedEach === 0
  const again = isRepeated ? await Promise.all([send(), send()]) : []
  for (const reply of [first, ...again])
    if (reply.status >= 500) throw new Error(`${path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
  if (first.status < 300)
    for (const reply of again)
      if (reply.text !== first.text)
        throw new Error(`${path}: replayed as ${reply.status} ${reply.text} after ${first.text}`)
  told.set(`${path} ${first.status}`, (told.get(`${path} ${first.status}`) ?? 0) + 1)
  return first
}

/** Opens a link's page and sends its form, the same one until it is answered. */
async function form(
  world: World,
  publicId: string,
  query: string,
  fields: Record<string, string>,
): Promise<void> {
  const hidden = await insistingOn(world, () => openLink(publicId, query))
  const body = new URLSearchParams({ ...hidden, locale: 'en', ...fields })
  const url = `${stack.sandbox.directUrl}/${publicId}/attempts`
  const send = () => fetch(url, { method: 'POST', body, redirect: 'manual' })
  const response = await insisting(world, send)
  if (response.status >= 500) throw new Error(`attempt answered ${response.status}`)
}

const linkOf = (world: World, fields: object) =>
  insistingOn(world, () => newLink(world.merchant, { ...fields }))

async function payByCard(world: World, one: Extract<Command, { kind: 'card' }>): Promise<void> {
  const terms = one.amount >= 120_000 && one.token === 'tok_sbx_msi_3_6_9_12'
  const link = await linkOf(world, {
    manual_amount: one.amount,
    usage: 'multi_use',
    capture_method: one.manual ? 'manual' : 'automatic',
    ...(terms ? { installment_options: [{ months: 3 }, { months: 12 }] } : {}),
  })
  await form(world, link.public_id, '', {
    card_token: one.token,
    ...(terms ? { months: String(one.months) } : {}),
  })
}

async function payByPush(world: World, method: 'oxxo' | 'spei', amount: number): Promise<void> {
  const link = await linkOf(world, { manual_amount: amount, payment_method_types: [method] })
  await form(world, link.public_id, `?method=${method}`, {
    method,
    name: 'Ana López',
    email: 'ana@example.com',
  })
}

async function deposit(world: World, one: Extract<Command, { kind: 'deposit' }>): Promise<void> {
  const row = await pick(
    world,
    one.which,
    `select c.id, p.amount_minor - p.amount_received_minor as whole, c.clabe as ref from clabes c
     join payments p on p.tenant_id = c.tenant_id and p.id = c.payment_id where c.tenant_id = $1`,
  )
  if (!row) return
  const body = {
    clabe: row.ref,
    amount: shareOf(one.part, BigInt(row.whole)).toString(),
    clave_rastreo: randomUUID().replaceAll('-', '').slice(0, 30),
    sender_clabe: clabes.clabe,
  }
  await post(world, '/v1/sandbox/spei/deposits', body)
  if (one.twice) await post(world, '/v1/sandbox/spei/deposits', body)
}

async function amountOf(world: World, part: Part): Promise<string> {
  const { body } = await insisting(world, () =>
    call<{ currencies: { currency: string; available: string }[] }>('GET', '/v1/payment-operations/balance', {
      bearer: world.merchant.apiKey,
    }),
  )
  const available = BigInt(body.currencies.find(({ currency }) => currency === 'mxn')?.available ?? 0)
  return shareOf(part, available).toString()
}

async function transfer(world: World, { part, to }: Extract<Command, { kind: 'transfer' }>): Promise<void> {
  const destination =
    to === 'tenant'
      ? { type: 'tenant', tenant_id: world.other.tenantId }
      : { type: 'clabe', clabe: clabes[to], holder: 'Ana López' }
  const amount = await amountOf(world, part)
  const sent = await post(world, '/v1/payment-operations/transfers', {
    amount,
    currency: 'mxn',
    destination,
    concept: 'Semana 24',
  })
  await wasCovered(world, sent)
}

/**
 * Refunds, here and at the processor, and disputes may take what is available below zero; what the merchant sends away
 * must not.
 */
async function wasCovered(world: World, { status, body }: Reply): Promise<void> {
  // With servers killed, several histories of one merchant run at once: another one may have taken the balance.
  if (status !== 201 || body.status === 'pending_approval' || world.insists) return
  const left = await amountOf(world, 'all')
  if (BigInt(left) < 0n) throw new Error(`${body.object} ${body.id} left ${left} available`)
}

const payments = (where: string, whole = 'amount_captured_minor') =>
  `select id, ${whole} as whole, public_id as ref from payments where tenant_id = $1 and ${where}`
const ofTable = (table: string, where = 'true', whole = 'amount_minor') =>
  `select id, ${whole} as whole, id::text as ref from ${table} where tenant_id = $1 and ${where}`

/** Does to a payment, refund … what the path says, if there is one. */
async function doTo(
  world: World,
  which: number,
  select: string,
  path: (row: Row) => string,
  body?: (row: Row) => object,
): Promise<void> {
  const row = await pick(world, which, select)
  if (row) await post(world, path(row), body?.(row))
}

const destination = { clabe: clabes.clabe, holder: 'Ana López' }

/** Scheduled work. A run that dies with its server is done too: the next one goes on. */
const jobsRun = ({ insists }: World): Promise<void> =>
  trigger('sandbox').catch((cause: unknown) => {
    if (!insists) throw cause
  })

/** Carries out one command, as merchant, buyer, bank or time. */
export async function take(world: World, one: Command): Promise<void> {
  switch (one.kind) {
    case 'card':
      return payByCard(world, one)
    case 'oxxo':
    case 'spei':
      return payByPush(world, one.kind, one.amount)
    case 'voucher':
      return doTo(
        world,
        one.which,
        `select id, amount_minor as whole, reference as ref from vouchers where tenant_id = $1`,
        ({ ref }) => `/v1/sandbox/oxxo/${ref}/${one.what === 'expire' ? 'expire' : 'pay'}`,
        one.what === 'expire' ? undefined : () => ({ late: one.what === 'pay_late' }),
      )
    case 'deposit':
      return deposit(world, one)
    case 'bank':
      return answerChallenge(world, one)
    case 'capture':
      return doTo(
        world,
        one.which,
        // Two of three go to an authorized payment.
        payments(
          one.which % 3 ? `status = 'requires_capture'` : `method = 'card'`,
          'amount_authorized_minor',
        ),
        ({ id }) => `/v1/payments/${id}/capture`,
        ({ whole }) => ({ amount: shareOf(one.part, BigInt(whole)).toString() }),
      )
    case 'cancel':
      return doTo(world, one.which, payments('true'), ({ id }) => `/v1/payments/${id}/cancel`)
    case 'clock':
      await post(world, '/v1/sandbox/clock', { advance: `PT${one.hours}H` })
      return jobsRun(world)
    case 'reconciler':
      return jobsRun(world)
    case 'transfer':
      return transfer(world, one)
    case 'payout':
      return wasCovered(world, await post(world, '/v1/payment-operations/payouts', { currency: 'mxn' }))
    default:
      return takeBack(world, one)
  }
}

type Back = Exclude<
  Command,
  {
    kind:
      | 'card'
      | 'oxxo'
      | 'spei'
      | 'voucher'
      | 'deposit'
      | 'bank'
      | 'capture'
      | 'cancel'
      | 'clock'
      | 'reconciler'
      | 'transfer'
      | 'payout'
  }
>

/** Everything that is returned or undone. */
function takeBack(world: World, one: Back): Promise<void> {
  const { which } = one
  switch (one.kind) {
    case 'refund':
      return doTo(
        world,
        which,
        payments('amount_captured_minor > 0', 'amount_captured_minor - amount_refunded_minor'),
        () => '/v1/refunds',
        ({ id, whole }) => ({
          payment_id: id,
          amount: shareOf(one.part, BigInt(whole)).toString(),
          method: one.method,
          reason: 'requested_by_customer',
          ...(one.destination && one.method === 'original' ? { destination } : {}),
        }),
      )
    case 'dashboard_refund':
      return doTo(
        world,
        which,
        payments(
          `method = 'card' and amount_captured_minor > 0`,
          'amount_captured_minor - amount_refunded_minor',
        ),
        () => '/v1/sandbox/refunds',
        ({ id, whole }) => ({ payment_id: id, amount: shareOf(one.part, BigInt(whole)).toString() }),
      )
    case 'refund_cancel':
      return doTo(world, which, ofTable('refunds'), ({ id }) => `/v1/refunds/${id}/cancel`)
    case 'refund_destination':
      return doTo(
        world,
        which,
        ofTable('refunds', `status = 'requires_destination'`),
        ({ id }) => `/v1/refunds/${id}/destination`,
        () => destination,
      )
    case 'dispute':
      return doTo(
        world,
        which,
        payments(`method = 'card' and amount_captured_minor > 0`),
        () => '/v1/sandbox/disputes',
        ({ id }) => ({ payment_id: id }),
      )
    case 'resolve':
      return doTo(
        world,
        which,
        ofTable('disputes'),
        ({ id }) => `/v1/sandbox/disputes/${id}/resolve`,
        () => ({ outcome: one.outcome }),
      )
    case 'reconsider':
      return doTo(
        world,
        which,
        // Three of four go to a dispute that the bank has decided.
        ofTable('disputes', which % 4 ? `status in ('won', 'lost')` : 'true'),
        ({ id }) => `/v1/sandbox/disputes/${id}/reconsider`,
        () => ({ status: one.status }),
      )
    case 'evidence':
      return doTo(
        world,
        which,
        ofTable('disputes'),
        ({ id }) => `/v1/payment-operations/disputes/${id}/evidence`,
        () => ({ explanation: 'Signed for.' }),
      )
    case 'transfer_return':
      return doTo(world, which, ofTable('transfers'), ({ id }) => `/v1/sandbox/transfers/${id}/return`)
    case 'payout_return':
    case 'payout_fail':
      return doTo(
        world,
        which,
        ofTable('payouts'),
        ({ id }) => `/v1/sandbox/payouts/${id}/${one.kind === 'payout_fail' ? 'fail' : 'return'}`,
      )
    case 'refund_unapplied':
      return doTo(
        world,
        which,
        ofTable('unapplied_funds', 'true', 'remaining_minor'),
        ({ id }) => `/v1/payment-operations/unapplied-funds/${id}/refund`,
        ({ whole }) => ({ amount: shareOf(one.part, BigInt(whole)).toString(), destination }),
      )
    case 'apply':
      return apply(world, one)
  }
}

async function apply(world: World, { which, part }: { which: number; part: Part }): Promise<void> {
  const funds = await pick(world, which, ofTable('unapplied_funds', 'true', 'remaining_minor'))
  const payment = await pick(world, which, payments(`method = 'spei'`))
  if (!funds || !payment) return
  await post(world, `/v1/payment-operations/unapplied-funds/${funds.id}/apply`, {
    payment_id: payment.id,
    amount: shareOf(part, BigInt(funds.whole)).toString(),
  })
}

async function answerChallenge(
  world: World,
  { which, outcome }: Extract<Command, { kind: 'bank' }>,
): Promise<void> {
  const row = await pick(
    world,
    which,
    `select id, amount_minor as whole, id::text as ref from payment_attempts
     where tenant_id = $1 and status = 'pending_customer' and method = 'card'`,
  )
  if (!row) return
  await insisting(world, () => answerBank(row.id, outcome))
}

const looks = 8

/** Everything that waits is looked at, as over the coming days, and everything that is due is done. */
export async function settle(tenants: readonly string[]): Promise<void> {
  for (let look = 0; look < looks; look++) {
    for (const table of ['payment_attempts', 'refunds', 'disputes', 'transfers', 'payouts'])
      await adminSql('sandbox')(
        `update ${table} set next_check_at = now() where tenant_id = any ($1) and next_check_at is not null`,
        [tenants],
      )
    await trigger('sandbox')
  }
}
