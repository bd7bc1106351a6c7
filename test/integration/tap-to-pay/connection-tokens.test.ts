import { describe, expect, test } from 'vitest'
import {
  answer,
  asks,
  type Device,
  newCode,
  newDevice,
  newLocation,
  newPaired,
  pairWith,
} from '../../support/devices.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { placesOf } from '../../support/places.ts'
import { adminSql } from '../../support/stack.ts'

const path = '/v1/tap-to-pay/connection_tokens'
type Token = {
  object: string
  status: string
  secret: string
  expires_at: string
  redeemed_at: string | null
  error?: { code: string; param?: string }
}

const issue = (bearer: string, body: object) => asks<Token>(bearer, 'POST', path, body)
const redeem = (credential: string, secret: string) =>
  asks<Token>(credential, 'POST', `${path}/redeem`, { secret })
const told = ({ status, body }: { status: number; body: Token }) =>
  `${status} ${body.error?.code ?? body.status}`

async function newPhone() {
  const merchant = await newMerchant()
  const phone = await newPaired(merchant, 'phone')
  return { merchant, phone, asked: { device_id: phone.id, location_id: phone.location_id } }
}

describe('a connection token', () => {
  test('is for a phone at its location, for ten minutes, and takes no Idempotency-Key', async () => {
    const { merchant, asked } = await newPhone()
    const begun = Date.now()
    const { status, body } = await call<Token>('POST', path, {
      bearer: merchant.apiKey,
      headers: { 'idempotency-key': '' },
      body: asked,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      object: 'tap_to_pay.connection_token',
      ...asked,
      status: 'issued',
      secret: expect.stringMatching(/^ct_a[0-9A-Za-z]{43}$/),
      expires_at: expect.any(String),
      redeemed_at: null,
      session_id: null,
    })
    const minutes = (Date.parse(body.expires_at) - begun) / 60_000
    expect([minutes > 9.9, minutes < 10.5]).toEqual([true, true])
  })

  test.each([
    [{ device_id: undefined }, 'parameter_missing', 'device_id'],
    [{ location_id: undefined }, 'parameter_missing', 'location_id'],
    [{ device_id: '0190a6d2-7c3e-7b1a-9f00-00000000006' }, 'parameter_invalid', 'device_id'],
    [{ location_id: '0190a6d2-7c3e-7b1a-9f00-0000000000311' }, 'parameter_invalid', 'location_id'],
    [{ device_id: 7 }, 'parameter_invalid', 'device_id'],
    [{ scope: 'all' }, 'parameter_unknown', 'scope'],
  ])('is not made of %j: %s', async (change, code, param) => {
    const { merchant, asked } = await newPhone()
    const { body } = await issue(merchant.apiKey, { ...asked, ...change })
    expect(body.error).toMatchObject({ code, param })
  })

  test('is not made without a bearer, for a reader, a stranger’s phone or place, or elsewhere', async () => {
    const { merchant, asked } = await newPhone()
    const stranger = await newPhone()
    const { apiKey } = merchant
    expect((await call('POST', path, { body: asked })).status).toBe(401)
    const reader = await newDevice(merchant)
    const tries: [object, string][] = [
      [{ device_id: reader.id }, '404 device_not_found'],
      [{ device_id: stranger.phone.id }, '404 device_not_found'],
      [{ location_id: stranger.phone.location_id }, '404 location_not_found'],
      [{ location_id: await newLocation(merchant, 'Condesa') }, '409 device_elsewhere'],
    ]
    for (const [change, expected] of tries)
      expect(told(await issue(apiKey, { ...asked, ...change }))).toBe(expected)
  })

  test('is not made for a phone that is unpaired or disabled, or at an archived location', async () => {
    const { merchant, phone, asked } = await newPhone()
    const move = (at: string) => asks(merchant.apiKey, 'POST', at)
    await move(`/v1/workspace/locations/${phone.location_id}/archive`)
    expect(told(await issue(merchant.apiKey, asked))).toBe('409 location_archived')
    await move(`/v1/workspace/locations/${phone.location_id}/restore`)
    await move(`/v1/tap-to-pay/devices/${phone.id}/unpair`)
    expect(told(await issue(merchant.apiKey, asked))).toBe('409 device_not_paired')
    await move(`/v1/tap-to-pay/devices/${phone.id}/disable`)
    expect(told(await issue(merchant.apiKey, asked))).toBe('409 device_disabled')
  })

  test('is redeemed once, also when its phone sends it 50 times at once', async () => {
    const { merchant, phone, asked } = await newPhone()
    const { secret } = (await issue(merchant.apiKey, asked)).body
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(phone.credential, secret)))
    expect(answers.filter((each) => told(each) === '200 redeemed')).toHaveLength(1)
    expect(answers.filter((each) => told(each) === '409 connection_token_redeemed')).toHaveLength(49)
    const won = answers.find(({ status }) => status === 200)!.body
    expect([won.secret, won.redeemed_at]).toEqual([undefined, expect.any(String)])
  })

  test('opens nothing once another was made: of 50 made at once one opens', async () => {
    const { merchant, phone, asked } = await newPhone()
    const made = await Promise.all(Array.from({ length: 50 }, () => issue(merchant.apiKey, asked)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    const answers = await Promise.all(made.map(({ body }) => redeem(phone.credential, body.secret)))
    expect(answers.map(told).sort()).toEqual([
      '200 redeemed',
      ...Array.from({ length: 49 }, () => '404 connection_token_invalid'),
    ])
  })

  test('ends after ten minutes, and with the pairing that it was made for', async () => {
    const { merchant, phone, asked } = await newPhone()
    const first = (await issue(merchant.apiKey, asked)).body.secret
    await asks(merchant.apiKey, 'POST', '/v1/sandbox/clock', { advance: 'PT10M' })
    expect(told(await redeem(phone.credential, first))).toBe('410 connection_token_expired')
    const late = `update connection_tokens set status = 'redeemed', redeemed_at = now() where tenant_id = $1`
    await expect(adminSql('sandbox')(late, [merchant.tenantId])).rejects.toThrow('connection_tokens_in_time')
    const second = (await issue(merchant.apiKey, asked)).body.secret
    await asks(merchant.apiKey, 'POST', `/v1/tap-to-pay/devices/${phone.id}/unpair`)
    expect((await redeem(phone.credential, second)).body.error?.code).toBe('device_unpaired')
    const again = await pairWith(await newCode(merchant, phone as Device))
    expect(answer(again)).toBe('200 paired')
    expect(told(await redeem(again.body.one_time_value!, second))).toBe('404 connection_token_invalid')
  })

  test('is redeemed by its own phone alone', async () => {
    const { merchant, asked } = await newPhone()
    const other = await newPaired(merchant, 'phone')
    const reader = await newPaired(merchant)
    const { secret } = (await issue(merchant.apiKey, asked)).body
    expect(told(await redeem(other.credential, secret))).toBe('404 connection_token_invalid')
    expect((await redeem(reader.credential, secret)).status).toBe(401)
    expect((await redeem(merchant.apiKey, secret)).status).toBe(401)
    for (const wrong of [`${secret.slice(0, -1)}!`, 'x'.repeat(16), 'x'.repeat(128)])
      expect(told(await redeem(other.credential, wrong))).toBe('404 connection_token_invalid')
    for (const wrong of ['x'.repeat(15), 'x'.repeat(129)])
      expect((await redeem(other.credential, wrong)).body.error?.code).toBe('parameter_invalid')
  })

  test('stands in no row, event or line of a log', async () => {
    const { merchant, phone, asked } = await newPhone()
    const { secret } = (await issue(merchant.apiKey, asked)).body
    await redeem(phone.credential, secret)
    expect(await placesOf(secret.slice(4))).toEqual([])
  })
})
