import { describe, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
import { type Device, roma } from '../support/devices.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { placesOf } from '../support/places.ts'
import { deliver, server, sql, until, withStripe } from '../support/stripe-live.ts'
import { other, withOwnAccount } from '../support/stripe-own-accounts.ts'
import {
  actionIs,
  asksLive,
  booksAt,
  cancels,
  newLiveDevice,
  readsAction,
  readsSale,
  settles,
} from '../support/stripe-readers.ts'
import { type Action, answerOf, refusal, times } from '../support/terminal.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

const { path } = kinds.phone
const tokens = '/v1/tap-to-pay/connection_tokens'

interface Redeemed {
  status: string
  session_id: string
  processor: { name: string; connection_token: string; location_id: string } | null
  error?: { code: string }
}

/** A paired phone with its credential. */
async function newPhone(merchant: Merchant, more?: object) {
  const device = await newLiveDevice(merchant, more, path)
  const at = `${path}/${device.id}/pairing-codes`
  const { body: code } = await asksLive<{ one_time_value: string }>(merchant, 'POST', at)
  const asPairing = { ...merchant, apiKey: code.one_time_value }
  const { body } = await asksLive<Device>(asPairing, 'POST', '/v1/device/pair', {})
  return { device, asPhone: { ...merchant, apiKey: body.one_time_value! } }
}

type Phone = Awaited<ReturnType<typeof newPhone>>

async function tokenFor(merchant: Merchant, { device }: Phone): Promise<string> {
  const asked = { device_id: device.id, location_id: device.location_id }
  return (await asksLive<{ secret: string }>(merchant, 'POST', tokens, asked)).body.secret
}

const redeems = ({ asPhone }: Phone, secret: string) =>
  asksLive<Redeemed>(asPhone, 'POST', `${tokens}/redeem`, { secret })

/** A merchant with a phone in its session. */
async function newPhoneCounter(known?: Merchant) {
  const merchant = known ?? (await newMerchant({ environment: 'live' }))
  const phone = await newPhone(merchant)
  const { status, text } = await redeems(phone, await tokenFor(merchant, phone))
  if (status !== 200) throw new Error(`no session: ${status} ${text}`)
  return { merchant, phone, device: phone.device, reader: '' }
}

const charges = ({ merchant, device }: Awaited<ReturnType<typeof newPhoneCounter>>, body: object = {}) =>
  asksLive(merchant, 'POST', `${path}/${device.id}/process-payment`, {
    amount: '120000',
    currency: 'mxn',
    ...body,
  })

const secretOf = (who: Merchant, { id }: Action) =>
  asksLive<{ client_secret: string | null; error?: { code: string } }>(
    who,
    'GET',
    `/v1/device/actions/${id}/payment-secret`,
  )

const told = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`

describe('a connection token in live', () => {
  test('carries Stripe’s to the phone that redeems it, once, and to nowhere else', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const phone = await newPhone(merchant)
    const secret = await tokenFor(merchant, phone)
    const answers = await times(() => redeems(phone, secret))
    const [won, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(answers.filter((each) => told(each) === '409 connection_token_redeemed')).toHaveLength(49)
    const [place] = server.places.keys()
    expect(won!.body.processor).toEqual({
      name: 'stripe',
      connection_token: expect.stringMatching(/^pst_live_/),
      location_id: place,
    })
    expect(server.places.size).toBe(1)
    const { connection_token } = won!.body.processor!
    expect(await placesOf(connection_token)).toEqual([])
    const second = await redeems(phone, await tokenFor(merchant, phone))
    expect(second.body.processor!.connection_token).not.toBe(connection_token)
    expect([server.places.size, server.complaints]).toEqual([1, []])
  })

  test('is not lost with Stripe’s answer, nor where Stripe refuses the place or the account', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const phone = await newPhone(merchant, {})
    const secret = await tokenFor(merchant, phone)
    expect(told(await redeems(phone, secret))).toBe('422 location_takes_no_readers')
    const { location_id } = phone.device
    await sql('update locations set address = $2, version = version + 1 where id = $1', [
      location_id,
      JSON.stringify({ ...roma, line2: null, neighborhood: null }),
    ])
    server.failNext(/connection_tokens/, '403')
    expect(told(await redeems(phone, secret))).toBe('422 reader_registration_refused')
    server.failNext(/connection_tokens/, 'cut_after', 9)
    expect(told(await redeems(phone, secret))).toBe('503 outcome_unknown')
    server.forgetFaults()
    expect((await redeems(phone, secret)).body).toMatchObject({
      status: 'redeemed',
      processor: { name: 'stripe' },
    })
    expect(server.places.size).toBe(1)
  })

  test('is asked of Stripe for no phone that must be attested first', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const phone = await newPhone(merchant)
    await sql(
      `insert into attestation_settings (tenant_id, id, is_required, version, created_at, updated_at)
       values ($1, gen_random_uuid(), true, 1, now(), now())`,
      [merchant.tenantId],
    )
    const secret = await tokenFor(merchant, phone)
    const answers = await times(() => redeems(phone, secret))
    expect(new Set(answers.map(told))).toEqual(new Set(['409 phone_not_attested']))
    expect(server.places.size).toBe(0)
    await sql(
      `with used as (insert into attestation_challenges
         select tenant_id, gen_random_uuid(), id, pairings_count, 'used', repeat('a', 64), now() + interval '1 minute',
           date_trunc('milliseconds', now()), 1, now(), now() from devices where tenant_id = $1 and id = $2 returning *),
       tried as (insert into phone_attestations (tenant_id, id, device_id, pairing, challenge_id, provider, app, environment,
           expires_at, created_at)
         select tenant_id, gen_random_uuid(), device_id, pairing, id, 'play_integrity', 'com.example.pos', 'production',
           used_at + interval '1 day', used_at from used returning *)
       update devices d set attestation_id = t.id, attested_by = t.provider, attested_app = t.app,
         attested_environment = t.environment, attested_at = t.created_at, attested_until = t.expires_at
       from tried t where d.tenant_id = t.tenant_id and d.id = t.device_id`,
      [merchant.tenantId, phone.device.id],
    )
    expect((await redeems(phone, secret)).body).toMatchObject({ status: 'redeemed' })
    expect([server.places.size, server.complaints]).toEqual([1, []])
  })
})

describe('a phone in live', () => {
  test('charges the card that is tapped on it by a secret that it alone gets while the card is awaited', async () => {
    const counter = await newPhoneCounter()
    const { merchant, phone } = counter
    const { body: action } = await charges(counter)
    expect((await readsSale(counter, action)).status).toBe('waiting_device')
    const { body } = await secretOf(phone.asPhone, action)
    const other = await newPhone(merchant)
    expect(told(await secretOf(other.asPhone, action))).toBe('404 reader_action_not_found')
    expect((await secretOf(merchant, action)).status).toBe(401)
    expect(server.tap(body.client_secret!)).toBe(true)
    await deliver()
    expect(await placesOf(body.client_secret!)).toEqual([])
    await until(actionIs(counter, action, 'succeeded'))
    expect(told(await secretOf(phone.asPhone, action))).toBe('409 reader_action_over')
    expect(await readsSale(counter, action)).toMatchObject({ status: 'succeeded', card: { last4: '4242' } })
    expect(await booksAt(counter)).toEqual([{ status: 'succeeded', captured: '120000', journals: 1 }])
    expect(server.complaints).toEqual([])
    expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  })

  test('takes no installments, a declined card once, and nothing after its time', async () => {
    const counter = await newPhoneCounter()
    expect(refusal(await charges(counter, { installment_months: 3 }))).toBe(
      '422 installments_unavailable installment_months',
    )
    const { body: declined } = await charges(counter)
    const secret = (await secretOf(counter.phone.asPhone, declined)).body.client_secret!
    server.tap(secret, 'pm_funds')
    await deliver()
    await until(actionIs(counter, declined, 'failed'))
    expect(server.tap(secret)).toBe(false)
    const { body: late } = await charges(counter)
    const unused = (await secretOf(counter.phone.asPhone, late)).body.client_secret!
    // Stripe would still give its secret.
    await sql(`update reader_actions set expires_at = now() - interval '1 second' where id = $1`, [late.id])
    expect(told(await secretOf(counter.phone.asPhone, late))).toBe('409 reader_action_over')
    await settles(counter, true)
    expect((await readsAction(counter, late)).status).toBe('timed_out')
    expect(server.tap(unused)).toBe(false)
    expect(await brokenRules(counter.merchant.tenantId, 'live')).toEqual([])
  })

  test('is canceled by fifty while a card is tapped: one of both wins', async () => {
    const counter = await newPhoneCounter()
    const { body: action } = await charges(counter)
    const secret = (await secretOf(counter.phone.asPhone, action)).body.client_secret!
    const canceled = times(() => cancels(counter, action))
    const isPaid = server.tap(secret)
    await deliver()
    const answers = (await canceled).map(answerOf)
    await settles(counter)
    const { status } = await readsAction(counter, action)
    const [paid] = await booksAt(counter)
    expect([status, paid!.journals]).toEqual(isPaid ? ['succeeded', 1] : ['canceled', 0])
    if (isPaid) expect(answers).not.toContain('200 canceled')
    expect(await brokenRules(counter.merchant.tenantId, 'live')).toEqual([])
  })

  test('is told that an action is over which Stripe closed and nobody notified, and it ends', async () => {
    const counter = await newPhoneCounter()
    const { body: action } = await charges(counter)
    const secret = (await secretOf(counter.phone.asPhone, action)).body.client_secret!
    const [intended] = server.intents.values()
    server.move(intended!.id, { status: 'canceled' })
    expect(server.tap(secret)).toBe(false)
    expect(told(await secretOf(counter.phone.asPhone, action))).toBe('409 reader_action_over')
    await until(actionIs(counter, action, 'canceled'))
    expect(await booksAt(counter)).toEqual([{ status: 'canceled', captured: '0', journals: 0 }])
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
  })

  test('asks again for a secret whose answer is lost', async () => {
    const counter = await newPhoneCounter()
    const { body: action } = await charges(counter)
    server.failNext(/GET \/v1\/payment_intents/, '500', 9)
    expect(told(await secretOf(counter.phone.asPhone, action))).toBe('503 outcome_unknown')
    server.forgetFaults()
    expect((await secretOf(counter.phone.asPhone, action)).body.client_secret).toMatch(/_secret_/)
  })
})

test('a phone takes cards for the account that its SDK is connected to, and for no other', async () => {
  const { merchant, set } = await withOwnAccount()
  const counter = await newPhoneCounter(merchant)
  const { phone } = counter
  const { body: action } = await charges(counter)
  const secret = (await secretOf(phone.asPhone, action)).body.client_secret!
  await set(other)
  expect(server.tap(secret)).toBe(true)
  await settles(counter)
  expect((await readsAction(counter, action)).status).toBe('succeeded')
  const answers = await times(() => charges(counter))
  expect(new Set(answers.map(answerOf))).toEqual(new Set(['409 tap_session_other_account']))
  expect((await redeems(phone, await tokenFor(merchant, phone))).status).toBe(200)
  expect(answerOf(await charges(counter))).toBe('201 in_progress')
  const presented = [...server.intents.values()].filter(({ type }) => type === 'card_present')
  expect(presented.map(({ id }) => server.ownerOf(id))).toEqual(['acct_own', 'acct_other'])
  const kept = await sql(
    `select count(distinct a.account_id)::int accounts from reader_actions r
       join payment_attempts a using (tenant_id, payment_id) join tap_sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id
     where r.tenant_id = $1 and a.account_id = s.account_id`,
    [merchant.tenantId],
  )
  expect(kept).toEqual([{ accounts: 2 }])
  const insertAgain = () =>
    sql(
      `with gone as (delete from reader_actions where tenant_id = $1 and status = 'in_progress' returning *)
       insert into reader_actions select * from gone`,
      [merchant.tenantId],
    )
  await insertAgain()
  await sql(
    `update tap_sessions s set account_id = c.id from processor_credentials c
     where s.tenant_id = $1 and s.status = 'open' and c.tenant_id = $1 and c.status <> 'active'`,
    [merchant.tenantId],
  )
  await expect(insertAgain()).rejects.toThrow('a phone takes cards in its session')
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})
