import { beforeAll, describe, expect, test } from 'vitest'
import {
  assertionOf,
  attestationOf,
  base64Of,
  base64UrlOf,
  certificateDigest,
  type Keys,
  newAuthority,
  newKeys,
  newPlayKeys,
  type PlayKeys,
  playPayload,
  playTokenOf,
  pointOf,
  sha256,
} from '../../support/attestation.ts'
import { type Customer, join, newCustomer } from '../../support/customer.ts'
import { asks, newCode, newPaired, pairWith } from '../../support/devices.ts'
import { behindChange } from '../../support/gate.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import {
  type Attestation,
  app,
  challengeOf,
  iosApp,
  type Paired,
  type PhoneApp,
  removesApp,
  sends,
  setsApp,
} from '../../support/phones.ts'
import { placesOf } from '../../support/places.ts'
import { adminSql } from '../../support/stack.ts'
import { published } from '../../unit/attestation/published.ts'

let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

const sql = adminSql('sandbox')
const told = ({ status, body }: { status: number; body: Attestation | PhoneApp }) =>
  `${status} ${body.error?.code ?? ('failure' in body ? body.failure : null) ?? body.status}`
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function newPhone(): Promise<{ merchant: Merchant; phone: Paired }> {
  const merchant = await newMerchant()
  await join(customer, merchant)
  return { merchant, phone: await newPaired(merchant, 'phone') }
}
const android = (keys: PlayKeys, more: object = {}) => ({
  platform: 'android',
  app,
  certificate_digests: [certificateDigest],
  decryption_key: keys.decryption_key,
  verification_key: keys.verification_key,
  ...more,
})
const plays = async (phone: Paired, keys: PlayKeys, name = app) => {
  const { challenge } = await challengeOf(phone)
  const statement = await playTokenOf(keys, playPayload(name, challenge))
  return sends(phone, { provider: 'play_integrity', challenge, app: name, statement })
}

const shown = async ({ credential }: Paired) =>
  (await asks<{ attestation: object | null }>(credential, 'GET', '/v1/device')).body.attestation

describe('a phone with Android', () => {
  test('is attested by a token that the keys of its app open, while the app counts', async () => {
    const { merchant, phone } = await newPhone()
    const keys = await newPlayKeys()
    expect(told(await plays(phone, keys))).toBe('200 wrong_app')
    const { body } = await setsApp(customer, merchant, android(keys))
    expect(told(await plays(phone, keys))).toBe('200 verified')
    expect(told(await plays(phone, await newPlayKeys()))).toBe('200 wrong_signature')
    expect(told(await plays(phone, keys, 'com.other'))).toBe('200 wrong_app')
    expect(told(await removesApp(customer, merchant, body.id))).toBe('200 removed')
    expect(told(await plays(phone, keys))).toBe('200 wrong_app')
    expect(told(await removesApp(customer, merchant, body.id))).toBe('409 phone_app_removed')
  })

  test('is attested no more once its app is removed, or its certificates or keys are set again', async () => {
    const { merchant, phone } = await newPhone()
    const [keys, other] = [await newPlayKeys(), await newPlayKeys()]
    await setsApp(customer, merchant, android(other, { app: 'com.other' }))
    const another = await newPaired(merchant, 'phone')
    expect(told(await plays(another, other, 'com.other'))).toBe('200 verified')
    const { body } = await setsApp(customer, merchant, android(keys))
    for (const ends of [
      () =>
        setsApp(
          customer,
          merchant,
          android(keys, { certificate_digests: ['cd'.repeat(32), certificateDigest] }),
        ),
      () => removesApp(customer, merchant, body.id),
    ]) {
      expect(told(await plays(phone, keys))).toBe('200 verified')
      expect(await shown(phone)).toMatchObject({ app, status: 'valid' })
      expect((await ends()).status).toBe(200)
      expect(await shown(phone)).toBeNull()
    }
    expect(told(await setsApp(customer, merchant, android(keys)))).toBe('200 active')
    expect([await shown(phone), await shown(another)]).toEqual([
      null,
      expect.objectContaining({ status: 'valid' }),
    ])
  })

  test('is attested by nothing that comes with the removal of its app: fifty at once', async () => {
    const { merchant } = await newPhone()
    const keys = await newPlayKeys()
    const { body } = await setsApp(customer, merchant, android(keys))
    const phones = await Promise.all(Array.from({ length: 50 }, () => newPaired(merchant, 'phone')))
    const [removed, ...answers] = await Promise.all([
      removesApp(customer, merchant, body.id),
      ...phones.map((each) => plays(each, keys)),
    ])
    expect(told(removed)).toBe('200 removed')
    expect(new Set(['200 verified', '200 wrong_app', ...answers.map(told)]).size).toBe(2)
    expect(new Set(await Promise.all(phones.map(shown)))).toEqual(new Set([null]))
  })

  test('is not attested by an app that is removed while the try is recorded', async () => {
    const { merchant, phone } = await newPhone()
    const keys = await newPlayKeys()
    const { body } = await setsApp(customer, merchant, android(keys))
    const { challenge } = await challengeOf(phone)
    const statement = await playTokenOf(keys, playPayload(app, challenge))
    const removal = `update phone_apps set status = 'removed', version = version + 1 where id = $1`
    const answer = await behindChange(removal, [body.id], () =>
      sends(phone, { provider: 'play_integrity', challenge, app, statement }),
    )
    expect(told(answer)).toBe('200 wrong_app')
  })

  test('of another workspace is not attested by these keys', async () => {
    const [one, two] = [await newPhone(), await newPhone()]
    const keys = await newPlayKeys()
    await setsApp(customer, one.merchant, android(keys))
    expect(told(await plays(two.phone, keys))).toBe('200 wrong_app')
  })

  test('has an app whose keys are replaced, stand encrypted, and are shown to nobody', async () => {
    const { merchant, phone } = await newPhone()
    const [former, keys] = [await newPlayKeys(), await newPlayKeys()]
    const first = await setsApp(customer, merchant, android(former))
    const second = await setsApp(customer, merchant, android(keys))
    expect(second.body).toEqual({
      ...first.body,
      version: 2,
      updated_at: expect.any(String),
    })
    expect(Object.keys(second.body).filter((name) => name.includes('key'))).toEqual([])
    expect(told(await plays(phone, former))).toBe('200 wrong_signature')
    expect(told(await plays(phone, keys))).toBe('200 verified')
    for (const key of [keys.decryption_key, keys.verification_key]) expect(await placesOf(key)).toEqual([])
    const list = await call<{ data: PhoneApp[] }>('GET', '/v1/tap-to-pay/apps', { bearer: merchant.apiKey })
    expect(list.body.data).toEqual([second.body])
  })
})

describe('an app', () => {
  test.each([
    [{ app: 'not a package' }, 'app'],
    [{ app: 'nodots' }, 'app'],
    [{ platform: 'ios' }, 'app'],
    [{ platform: 'ios', app: iosApp }, 'certificate_digests'],
    [{ certificate_digests: [] }, 'certificate_digests'],
    [{ certificate_digests: [certificateDigest.toUpperCase()] }, 'certificate_digests.0'],
    [{ decryption_key: null }, 'decryption_key'],
    [{ decryption_key: 'A'.repeat(44) }, 'decryption_key'],
    [{ verification_key: null }, 'verification_key'],
    [{ verification_key: 'A'.repeat(124) }, 'verification_key'],
  ])('is not %j: the field is named', async (change, param) => {
    const { merchant } = await newPhone()
    const { body } = await setsApp(customer, merchant, android(await newPlayKeys(), change))
    expect(body.error).toMatchObject({ code: 'parameter_invalid', param })
  })

  test('is one of twenty at most', async () => {
    const { merchant } = await newPhone()
    await sql(
      `insert into phone_apps (tenant_id, id, status, platform, app, certificate_digests, created_at, updated_at)
       select $1, gen_random_uuid(), 'active', 'ios', 'TEAM123456.com.example.a' || n, '{}', now(), now() from generate_series(1, 19) n`,
      [merchant.tenantId],
    )
    const set = (name: string) => setsApp(customer, merchant, { platform: 'ios', app: `TEAM123456.${name}` })
    expect(told(await set('com.example.last'))).toBe('200 active')
    expect(told(await set('com.example.more'))).toBe('409 phone_app_limit_reached')
    expect(told(await set('com.example.last'))).toBe('200 active')
  })
})

/** A phone whose key was attested, as the database keeps it. */
async function attestedIphone(phone: Paired, keys: Keys) {
  const point = await pointOf(keys)
  const { challenge } = await challengeOf(phone)
  await sql(
    `with used as (update attestation_challenges set status = 'used', used_at = date_trunc('milliseconds', now())
       where digest = $1 returning *)
     insert into phone_attestations (tenant_id, id, device_id, pairing, challenge_id, provider, app, environment, public_key,
       key_digest, sign_count, expires_at, created_at)
     select tenant_id, gen_random_uuid(), device_id, pairing, id, 'app_attest', $2, 'production', $3, $4, 0,
       used_at + interval '1 day', used_at from used`,
    [hex(await sha256(Buffer.from(challenge))), iosApp, base64UrlOf(point), hex(await sha256(point))],
  )
}

describe('an iPhone', () => {
  const key = async (keys: Keys) => base64Of(await sha256(await pointOf(keys)))
  const asserts = async (phone: Paired, keys: Keys, signCount: number) => {
    const { challenge } = await challengeOf(phone)
    const statement = await assertionOf({ app: iosApp, challenge, keys, signCount })
    return sends(phone, { provider: 'app_attest', challenge, app: iosApp, key: await key(keys), statement })
  }

  test('whose key was attested asserts by it, and its counter grows', async () => {
    const { merchant, phone } = await newPhone()
    await setsApp(customer, merchant, { platform: 'ios', app: iosApp })
    const keys = await newKeys()
    expect(told(await asserts(phone, keys, 1))).toBe('200 wrong_key')
    await attestedIphone(phone, keys)
    expect(told(await asserts(phone, keys, 1))).toBe('200 verified')
    expect(told(await asserts(phone, keys, 1))).toBe('200 wrong_counter')
    expect(told(await asserts(phone, keys, 7))).toBe('200 verified')
    const shown = await asks<{ attestation: object }>(phone.credential, 'GET', '/v1/device')
    expect(shown.body.attestation).toMatchObject({ provider: 'app_attest', app: iosApp, status: 'valid' })
    const other = await newPaired(merchant, 'phone')
    expect(told(await asserts(other, keys, 8))).toBe('200 wrong_key')
    const { challenge } = await challengeOf(phone)
    const used = `update attestation_challenges set status = 'used', used_at = date_trunc('milliseconds', now()) where digest = $1`
    await sql(used, [hex(await sha256(Buffer.from(challenge)))])
    const again = `insert into phone_attestations select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
        'challenge_id', c.id, 'created_at', c.used_at, 'sign_count', 7))).*
      from phone_attestations a join attestation_challenges c on c.tenant_id = a.tenant_id and c.device_id = a.device_id
      where a.tenant_id = $1 and a.sign_count = 7 order by c.used_at desc nulls last limit 1`
    await expect(sql(again, [merchant.tenantId])).rejects.toThrow('a key counts up')
  })

  test('is attested no more once its app is removed, and an app of Android of that name changes nothing', async () => {
    const { merchant, phone } = await newPhone()
    const name = 'ABCDE12345.pos'
    const ios = (await setsApp(customer, merchant, { platform: 'ios', app: name })).body
    const same = (await setsApp(customer, merchant, android(await newPlayKeys(), { app: name }))).body
    const keys = await newKeys()
    await attestedIphone(phone, keys)
    const { challenge } = await challengeOf(phone)
    const statement = await assertionOf({ app: name, challenge, keys, signCount: 1 })
    const said = { provider: 'app_attest', challenge, app: name, key: await key(keys), statement }
    expect(told(await sends(phone, said))).toBe('200 verified')
    await removesApp(customer, merchant, same.id)
    expect(await shown(phone)).toMatchObject({ app: name, status: 'valid' })
    await setsApp(customer, merchant, { platform: 'ios', app: name })
    expect(await shown(phone)).toMatchObject({ app: name, status: 'valid' })
    await removesApp(customer, merchant, ios.id)
    expect(await shown(phone)).toBeNull()
  })

  test('that is paired again asserts by no key of before: it makes a new one', async () => {
    const { merchant, phone } = await newPhone()
    await setsApp(customer, merchant, { platform: 'ios', app: iosApp })
    const keys = await newKeys()
    await attestedIphone(phone, keys)
    expect(told(await asserts(phone, keys, 1))).toBe('200 verified')
    await asks(merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${phone.id}/unpair`)
    const { body } = await pairWith(await newCode(merchant, phone))
    const again = { ...phone, credential: body.one_time_value! }
    expect(told(await asserts(again, keys, 2))).toBe('200 wrong_key')
    const fresh = await newKeys()
    await attestedIphone(again, fresh)
    expect(told(await asserts(again, fresh, 1))).toBe('200 verified')
  })

  test('is certified by Apple alone, and in time', async () => {
    const { merchant, phone } = await newPhone()
    await setsApp(customer, merchant, { platform: 'ios', app: iosApp })
    const keys = await newKeys()
    const signer = await newAuthority(
      'Apple App Attestation CA 1',
      await newAuthority('Apple App Attestation Root CA'),
    )
    const { challenge } = await challengeOf(phone)
    const statement = await attestationOf({ app: iosApp, challenge, keys, signer })
    const said = { provider: 'app_attest', challenge, app: iosApp, key: await key(keys), statement }
    expect(told(await sends(phone, said))).toBe('200 untrusted_chain')
    const fresh = { ...said, challenge: (await challengeOf(phone)).challenge, key: published.key }
    const body = { ...fresh, statement: published.attestation }
    expect(told(await sends(phone, body))).toBe('200 expired_certificate')
  })
})
