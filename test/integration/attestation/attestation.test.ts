import { beforeAll, describe, expect, test } from 'vitest'
import { newKeys } from '../../support/attestation.ts'
import { type Customer, join, newCustomer } from '../../support/customer.ts'
import { asks, type Device, newCode, newPaired, pairWith } from '../../support/devices.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import {
  type Attestation,
  app,
  attests,
  challengeOf,
  type Paired,
  requires,
  sandboxBody,
  sends,
} from '../../support/phones.ts'
import { placesOf } from '../../support/places.ts'
import { keyOf } from '../../support/postgres.ts'
import { adminSql } from '../../support/stack.ts'
import { eventsOf, opensSession } from '../../support/terminal.ts'

type Shown = Device & { attestation: { status: string; provider: string; app: string } | null }

let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

const sql = adminSql('sandbox')
const told = ({ status, body }: { status: number; body: Attestation }) =>
  `${status} ${body.error?.code ?? body.failure ?? body.status}`
const shown = async (merchant: Merchant, { id }: { id: string }) =>
  (await asks<Shown>(merchant.apiKey, 'GET', `/v1/tap-to-pay/devices/${id}`)).body.attestation
const advance = (merchant: Merchant, by: string) =>
  asks(merchant.apiKey, 'POST', '/v1/sandbox/clock', { advance: by })

async function newPhone(): Promise<{ merchant: Merchant; phone: Paired }> {
  const merchant = await newMerchant()
  return { merchant, phone: await newPaired(merchant, 'phone') }
}

describe('a phone that attests itself', () => {
  test('shows it, to the merchant and to itself, for thirty days', async () => {
    const { merchant, phone } = await newPhone()
    expect(await shown(merchant, phone)).toBeNull()
    const { status, body } = await attests(phone)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        object: 'phone_attestation',
        device_id: phone.id,
        status: 'verified',
        failure: null,
        provider: 'sandbox',
        app,
        environment: 'production',
        verified_at: expect.any(String),
        expires_at: expect.any(String),
        created_at: body.verified_at,
      },
    ])
    const { verified_at, expires_at } = body
    expect((Date.parse(expires_at!) - Date.parse(verified_at!)) / 86_400_000).toBe(30)
    const valid = {
      provider: 'sandbox',
      app,
      environment: 'production',
      status: 'valid',
      verified_at,
      expires_at,
    }
    expect(await shown(merchant, phone)).toEqual(valid)
    expect((await asks<Shown>(phone.credential, 'GET', '/v1/device')).body.attestation).toEqual(valid)
    await expect.poll(() => eventsOf(merchant, 'phone')).toEqual(['created', 'paired', 'attested'])
  })

  test('is due again when its time is over, and attests itself again', async () => {
    const { merchant, phone } = await newPhone()
    await attests(phone)
    await advance(merchant, 'P30D')
    expect(await shown(merchant, phone)).toMatchObject({ status: 'expired' })
    expect(told(await attests(phone))).toBe('200 verified')
    expect(await shown(merchant, phone)).toMatchObject({ status: 'valid' })
  })

  test('fails with the reason, and what stood before stands', async () => {
    const { merchant, phone } = await newPhone()
    expect(told(await attests(phone, { outcome: 'unverified_device' }))).toBe('200 unverified_device')
    expect(await shown(merchant, phone)).toBeNull()
    await attests(phone)
    const before = await shown(merchant, phone)
    const { body } = await attests(phone, { outcome: 'unrecognized_app' })
    expect(body).toMatchObject({ status: 'failed', environment: null, verified_at: null, expires_at: null })
    expect(await shown(merchant, phone)).toEqual(before)
    await expect
      .poll(() => eventsOf(merchant, 'phone'))
      .toEqual(['created', 'paired', 'attestation_failed', 'attested', 'attestation_failed'])
  })

  test('whose app was installed again has another key, whose attestation takes the place of the former one', async () => {
    const { merchant, phone } = await newPhone()
    await attests(phone)
    const second = (await attests(phone, { keys: await newKeys() })).body
    expect(await shown(merchant, phone)).toMatchObject({ verified_at: second.verified_at })
    const keys = await sql('select distinct key_digest from phone_attestations where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(keys).toHaveLength(2)
  })

  test('ends it with its pairing: unpaired, disabled, paired again it has none', async () => {
    const { merchant, phone } = await newPhone()
    await attests(phone)
    const open = await challengeOf(phone)
    await asks(merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${phone.id}/unpair`)
    expect(await shown(merchant, phone)).toBeNull()
    const { body } = await pairWith(await newCode(merchant, phone))
    const again = { credential: body.one_time_value! }
    expect(await shown(merchant, phone)).toBeNull()
    expect(told(await sends(again, await sandboxBody(open.challenge)))).toBe(
      '404 attestation_challenge_invalid',
    )
    expect(told(await attests(again))).toBe('200 verified')
    await asks(merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${phone.id}/disable`)
    expect(await shown(merchant, phone)).toBeNull()
  })

  test('in two workspaces has an attestation in each', async () => {
    const keys = await newKeys()
    const [one, two] = [await newPhone(), await newPhone()]
    expect(told(await attests(one.phone, { keys }))).toBe('200 verified')
    expect(await shown(two.merchant, two.phone)).toBeNull()
    expect(told(await attests(two.phone, { keys }))).toBe('200 verified')
    await asks(one.merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${one.phone.id}/unpair`)
    expect(await shown(two.merchant, two.phone)).toMatchObject({ status: 'valid' })
  })
})

describe('a challenge', () => {
  test('is used once, also when its phone sends it 50 times at once: a retry is told how it ended', async () => {
    const { merchant, phone } = await newPhone()
    const body = await sandboxBody((await challengeOf(phone)).challenge)
    const answers = await Promise.all(Array.from({ length: 50 }, () => sends(phone, body)))
    expect(new Set(answers.map(told))).toEqual(new Set(['200 verified']))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { challenge } = await challengeOf(phone)
    const failed = await sends(phone, await sandboxBody(challenge, { outcome: 'too_old' }))
    expect(told(failed)).toBe('200 too_old')
    const retry = await sandboxBody(challenge)
    expect((await sends(phone, retry)).body).toEqual(failed.body)
    for (const other of [{ app: 'com.other' }, { provider: 'play_integrity' }])
      expect(told(await sends(phone, { ...retry, ...other }))).toBe('409 attestation_challenge_used')
    const events = ['created', 'paired', 'attested', 'attestation_failed']
    await expect.poll(() => eventsOf(merchant, 'phone')).toEqual(events)
    const rows = 'select from phone_attestations where tenant_id = $1'
    expect(await sql(rows, [merchant.tenantId])).toHaveLength(2)
  })

  test('is good for five minutes, and for nothing once another was asked for', async () => {
    const { merchant, phone } = await newPhone()
    const begun = Date.now()
    const [first, second] = [await challengeOf(phone), await challengeOf(phone)]
    expect(first.challenge).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const minutes = (Date.parse(first.expires_at) - begun) / 60_000
    expect([minutes > 4.9, minutes < 5.5]).toEqual([true, true])
    expect(told(await sends(phone, await sandboxBody(first.challenge)))).toBe(
      '404 attestation_challenge_invalid',
    )
    await advance(merchant, 'PT5M')
    expect(told(await sends(phone, await sandboxBody(second.challenge)))).toBe(
      '410 attestation_challenge_expired',
    )
    const late = `update attestation_challenges set status = 'used', used_at = now() where tenant_id = $1 and status = 'issued'`
    await expect(sql(late, [merchant.tenantId])).rejects.toThrow('attestation_challenges_in_time')
  })

  test('is kept while it may be used, and where a record names it', async () => {
    const { merchant, phone } = await newPhone()
    await attests(phone)
    for (let asked = 0; asked < 3; asked++) await challengeOf(phone)
    const kept = 'select status from attestation_challenges where tenant_id = $1 order by created_at'
    expect(await sql(kept, [merchant.tenantId])).toEqual([{ status: 'used' }, { status: 'issued' }])
    const forget = `delete from attestation_challenges where tenant_id = $1 and status = 'used'`
    await expect(sql(forget, [merchant.tenantId])).rejects.toThrow('phone_attestations_challenge')
  })

  test('is asked for in vain by a phone that has tried twenty times within an hour', async () => {
    const { merchant, phone } = await newPhone()
    const tried = (times: number, ago: string) =>
      sql(
        `with used as (insert into attestation_challenges
             select $1, gen_random_uuid(), $2, 1, 'used', encode(sha256((n || $4)::bytea), 'hex'), now(),
               date_trunc('milliseconds', now() - $4::interval), 1, now(), now() from generate_series(1, $3::int) n returning *)
         insert into phone_attestations (tenant_id, id, device_id, pairing, challenge_id, provider, app, failure, created_at)
         select tenant_id, gen_random_uuid(), device_id, pairing, id, 'sandbox', 'com.example.pos', 'too_old', used_at
         from used`,
        [merchant.tenantId, phone.id, times, ago],
      )
    await tried(5, '111 minutes')
    await tried(19, '50 minutes')
    expect(told(await attests(phone))).toBe('200 verified')
    const body = await sandboxBody((await challengeOf(phone)).challenge)
    expect(told(await sends(phone, body))).toBe('429 attestation_tried_too_often')
    expect(await shown(merchant, phone)).toMatchObject({ status: 'valid' })
    await expect(tried(1, '1 minute')).rejects.toThrow('a phone tries twenty times within an hour')
    expect(told(await attests(await newPaired(merchant, 'phone')))).toBe('200 verified')
    await asks(merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${phone.id}/unpair`)
    const { one_time_value: credential } = (await pairWith(await newCode(merchant, phone))).body
    expect(told(await attests({ credential: credential! }))).toBe('200 verified')
  })

  test('of 50 that are asked for at once one is good', async () => {
    const { phone } = await newPhone()
    const made = await Promise.all(Array.from({ length: 50 }, () => challengeOf(phone)))
    const answers = await Promise.all(
      made.map(async ({ challenge }) => sends(phone, await sandboxBody(challenge))),
    )
    expect(answers.map(told).sort()).toEqual([
      '200 verified',
      ...Array.from({ length: 49 }, () => '404 attestation_challenge_invalid'),
    ])
  })

  test('is good for its own phone alone, and stands nowhere', async () => {
    const { merchant, phone } = await newPhone()
    const others = [await newPaired(merchant, 'phone'), (await newPhone()).phone]
    const { challenge } = await challengeOf(phone)
    const body = await sandboxBody(challenge)
    for (const other of others)
      expect(told(await sends(other, body))).toBe('404 attestation_challenge_invalid')
    const reader = await newPaired(merchant)
    expect((await sends(reader, body)).status).toBe(401)
    expect((await sends({ credential: merchant.apiKey }, body)).status).toBe(401)
    expect(told(await sends(phone, body))).toBe('200 verified')
    expect([...(await placesOf(challenge)), ...(await placesOf(body.statement))]).toEqual([])
  })
})

describe('a session of Tap to Pay', () => {
  test('opens without an attestation until the workspace wants one, then only while one is valid', async () => {
    const { merchant, phone } = await newPhone()
    await join(customer, merchant)
    const opens = async () => (await opensSession(merchant, phone)).body.error?.code ?? 'open'
    expect(await opens()).toBe('open')
    expect((await requires(customer, merchant, true)).body).toMatchObject({ required: true })
    expect(await opens()).toBe('phone_not_attested')
    await attests(phone, { outcome: 'unverified_device' })
    expect(await opens()).toBe('phone_not_attested')
    await attests(phone)
    expect(await opens()).toBe('open')
    await advance(merchant, 'P30D')
    expect(await opens()).toBe('phone_not_attested')
    expect((await requires(customer, merchant, false)).body).toMatchObject({ required: false })
    expect(await opens()).toBe('open')
    const { body } = await call('GET', '/v1/tap-to-pay/attestation-settings', { bearer: merchant.apiKey })
    expect(body).toMatchObject({ required: false, updated_at: expect.any(String) })
  })

  test('that was refused leaves its token: the phone attests itself and redeems it', async () => {
    const { merchant, phone } = await newPhone()
    await join(customer, merchant)
    await requires(customer, merchant, true)
    const at = '/v1/tap-to-pay/connection_tokens'
    const asked = { device_id: phone.id, location_id: phone.location_id }
    const { secret } = (await asks<{ secret: string }>(merchant.apiKey, 'POST', at, asked)).body
    const redeem = async () =>
      (await asks<Attestation>(phone.credential, 'POST', `${at}/redeem`, { secret })).status
    expect(await redeem()).toBe(409)
    await attests(phone)
    expect(await redeem()).toBe(200)
  })
})

describe('the database', () => {
  const row = async () => {
    const { merchant, phone } = await newPhone()
    await attests(phone)
    return { merchant, phone, of: [merchant.tenantId, phone.id] }
  }

  test('shows of a phone only what its record says', async () => {
    const { of } = await row()
    const set = (what: string) => sql(`update devices set ${what} where tenant_id = $1 and id = $2`, of)
    for (const what of [
      `attested_by = 'app_attest'`,
      `attested_app = 'com.other'`,
      `attested_environment = 'development'`,
      `attested_at = attested_at + interval '1 second'`,
      `attestation_id = gen_random_uuid()`,
    ])
      await expect(set(what)).rejects.toThrow('devices_attestation')
    for (const what of [`attested_until = null`, `attested_until = attested_at + interval '31 days'`])
      await expect(set(what)).rejects.toThrow('devices_attested')
    await expect(set(`status = 'unpaired', paired_at = null`)).rejects.toThrow('devices_attested')
  })

  test('takes no record without its challenge, and changes none', async () => {
    const { of } = await row()
    const insert = (set: object) =>
      sql(
        `insert into phone_attestations select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()) || $3::jsonb)).*
         from phone_attestations a where a.tenant_id = $1 and a.device_id = $2`,
        [...of, JSON.stringify(set)],
      )
    await expect(insert({})).rejects.toThrow('phone_attestations_one')
    await expect(insert({ challenge_id: crypto.randomUUID() })).rejects.toThrow(
      'phone_attestations_challenge',
    )
    await expect(
      sql(`update phone_attestations set app = 'com.other' where tenant_id = $1`, [of[0]]),
    ).rejects.toThrow()
  })

  test('counts thirty days in hours, also where a clock is put forward within them', async () => {
    const { merchant, phone, of } = await row()
    const attests = (hours: string) =>
      sql(
        `with zone as (select set_config('TimeZone', 'America/New_York', true)),
           used as (insert into attestation_challenges
             select $1, gen_random_uuid(), $2, 1, 'used', encode(sha256($3::text::bytea), 'hex'), '2026-03-01T12:05Z',
               '2026-03-01T12:00Z', 1, now(), now() from zone returning *)
         insert into phone_attestations (tenant_id, id, device_id, pairing, challenge_id, provider, app, environment,
           expires_at, created_at)
         select tenant_id, gen_random_uuid(), device_id, pairing, id, 'play_integrity', 'com.example.pos', 'production',
           used_at + $3::interval, used_at from used`,
        [...of, hours],
      )
    await attests('720 hours')
    await expect(attests('720 hours 1 second')).rejects.toThrow('phone_attestations_time')
    expect(await shown(merchant, phone)).toMatchObject({ status: 'valid' })
  })

  test('takes in live nothing by rule, and nothing that was built for development', async () => {
    const live = adminSql('live')
    const { tenantId } = await newMerchant({ environment: 'live' })
    const [place, device, challenge] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const insert = (table: string, set: object) =>
      live(
        `insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb || jsonb_build_object(
           'created_at', date_trunc('milliseconds', now()), 'updated_at', now(), 'version', 1, 'metadata', '{}'::jsonb))).*`,
        [JSON.stringify({ tenant_id: keyOf(tenantId), ...set })],
      )
    const where = { id: place, status: 'active', name: 'Roma', time_zone: 'UTC', currency: 'mxn' }
    await insert('locations', where)
    const phone = { id: device, kind: 'phone', status: 'unpaired', name: 'Phone', location_id: place }
    await insert('devices', { ...phone, pairings_count: 0 })
    await live(
      `insert into attestation_challenges select $1, $2, $3, 1, 'used', repeat('a', 64), now() + interval '1 minute',
         date_trunc('milliseconds', now()), 1, now(), now()`,
      [tenantId, challenge, device],
    )
    const attest = (provider: string, environment: string) =>
      live(
        `insert into phone_attestations (tenant_id, id, device_id, pairing, challenge_id, provider, app, environment, public_key,
           key_digest, sign_count, expires_at, created_at)
         select tenant_id, gen_random_uuid(), device_id, pairing, id, $2, 'com.example.pos', $3, repeat('A', 87),
           repeat('a', 64), case when $2 = 'app_attest' then 0 end, used_at + interval '1 day', used_at
         from attestation_challenges where tenant_id = $1`,
        [tenantId, provider, environment],
      )
    const real = 'live takes attestations of production alone'
    await expect(attest('sandbox', 'production')).rejects.toThrow(real)
    await expect(attest('app_attest', 'development')).rejects.toThrow(real)
    await attest('app_attest', 'production')
  })
})
