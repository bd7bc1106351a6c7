import { describe, expect, test } from 'vitest'
import { mintDeviceKey } from '../../../src/kernel/api-key.ts'
import {
  answer,
  asDevice,
  asks,
  asPairing,
  type Code,
  newCode,
  newDevice,
  newPaired,
  pairWith,
  wrongOf,
} from '../../support/devices.ts'
import { waitingBehind } from '../../support/gate.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { placesOf } from '../../support/places.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, control, stack, workerSql } from '../../support/stack.ts'
import { proven } from '../database/door.ts'

const sql = adminSql('sandbox')

describe('a pairing code', () => {
  test('pairs once, also when 50 devices enter it at once', async () => {
    const merchant = await newMerchant()
    const device = await newDevice(merchant)
    const code = await newCode(merchant, device)
    const answers = await Promise.all(Array.from({ length: 50 }, () => pairWith(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(answer))).toEqual(new Set(['200 paired', '401 pairing_code_invalid']))
    const [{ n }] = (await sql('select count(*)::int n from device_credentials where tenant_id = $1', [
      merchant.tenantId,
    ])) as [{ n: number }]
    expect(n).toBe(1)
  })

  test('is typed in any case, with or without its hyphen', async () => {
    const merchant = await newMerchant()
    const code = await newCode(merchant, await newDevice(merchant))
    expect(answer(await pairWith(code.replace('-', '').toLowerCase()))).toBe('200 paired')
  })

  test('opens nothing once another was made, once it ran out, or once the device is disabled', async () => {
    const merchant = await newMerchant()
    const device = await newDevice(merchant)
    const [first, second] = [await newCode(merchant, device), await newCode(merchant, device)]
    expect(answer(await pairWith(first))).toBe('401 pairing_code_invalid')
    await sql(
      `update device_pairing_codes set expires_at = now() where tenant_id = $1 and status = 'active'`,
      [merchant.tenantId],
    )
    // The scheduled job of a test beside this one may have ended it.
    expect(['401 pairing_code_expired', '401 pairing_code_invalid']).toContain(answer(await pairWith(second)))
    await control.trigger('sandbox')
    const codes = await sql(
      'select status from device_pairing_codes where tenant_id = $1 order by created_at',
      [merchant.tenantId],
    )
    expect(codes).toEqual([{ status: 'replaced' }, { status: 'expired' }])
    expect(answer(await pairWith(second))).toBe('401 pairing_code_invalid')
    const third = await newCode(merchant, device)
    await asks(merchant.apiKey, 'POST', `/v1/terminal/readers/${device.id}/disable`)
    expect(answer(await pairWith(third))).toBe('409 device_disabled')
  })

  test('is locked by five wrong ones that begin like it, whoever sends them, 50 at once', async () => {
    const merchant = await newMerchant()
    const code = await newCode(merchant, await newDevice(merchant))
    expect(answer(await pairWith(wrongOf(code, 0)))).toBe('401 pairing_code_invalid')
    const tries = await Promise.all(Array.from({ length: 50 }, (_, at) => pairWith(wrongOf(code, at))))
    expect(tries.every(({ status }) => status === 401)).toBe(true)
    expect(answer(await pairWith(code))).toBe('401 pairing_code_locked')
    const [row] = await sql('select tries_count from device_pairing_codes where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(row).toEqual({ tries_count: 5 })
  })

  // A code has 32^4 secrets behind the four characters that find it: five tries are 1 of 209,715. So many at once must
  // not be more than five: whichever comes behind five wrong ones, opens nothing.
  test('a right one waits behind the wrong ones that were sent before it', async () => {
    const merchant = await newMerchant()
    const code = await newCode(merchant, await newDevice(merchant))
    const held = new Client({ connectionString: stack.databases.sandbox.adminUrl })
    await held.connect()
    await held.query('begin')
    const { rows } = await held.query<{ pid: number }>(
      'select pg_backend_pid() as pid from device_pairing_codes where tenant_id = $1 for update',
      [merchant.tenantId],
    )
    const waiting = () => waitingBehind(rows[0]!.pid)
    const wrong = [0, 1, 2, 3, 4].map((at) => pairWith(wrongOf(code, at)))
    await expect.poll(waiting).toBe(5)
    const right = pairWith(code)
    await expect.poll(waiting).toBe(6)
    await held.query('rollback')
    await held.end()
    expect((await Promise.all(wrong)).map(answer)).not.toContain('200 paired')
    expect(answer(await right)).toBe('401 pairing_code_locked')
  })

  test('and its credential stand in no row, event, stored reply or line of a log', async () => {
    const merchant = await newMerchant()
    const device = await newDevice(merchant)
    const once = { bearer: merchant.apiKey, headers: { 'idempotency-key': crypto.randomUUID() } }
    const path = `/v1/terminal/readers/${device.id}/pairing-codes`
    const first = await call<Code>('POST', path, once)
    const again = await call<Code>('POST', path, once)
    expect(first.body.one_time_value).toMatch(/^\w{4}-\w{4}$/)
    expect(again.body).toEqual({ ...first.body, one_time_value: undefined })
    const code = first.body.one_time_value!
    await pairWith(wrongOf(code, 0))
    const { one_time_value: credential } = (await pairWith(code)).body
    await pairWith(code)
    await asks(credential!, 'GET', '/v1/device')
    await asks(credential!, 'GET', `/v1/terminal/readers/${credential}`)
    const rotated = (await asks(credential!, 'POST', '/v1/device/rotate-credential')).body.one_time_value!
    for (const secret of [
      code,
      code.replace('-', ''),
      ...[credential!, rotated].map((each) => each.split('_')[3]!),
    ])
      expect(await placesOf(secret)).toEqual([])
  })
})

describe('the credential of a device', () => {
  const itself = (credential: string) => asks(credential, 'GET', '/v1/device')

  test('opens nothing from the next request on: unpaired, disabled, or paired again', async () => {
    const merchant = await newMerchant()
    const { id, credential } = await newPaired(merchant)
    const at = `/v1/terminal/readers/${id}`
    expect((await itself(credential)).status).toBe(200)
    await asks(merchant.apiKey, 'POST', `${at}/unpair`)
    expect(answer(await itself(credential))).toBe('401 device_unpaired')
    const device = (await asks(merchant.apiKey, 'GET', at)).body
    const second = (await pairWith(await newCode(merchant, device))).body.one_time_value!
    expect(answer(await itself(credential))).toBe('401 device_unpaired')
    expect((await itself(second)).status).toBe(200)
    await asks(merchant.apiKey, 'POST', `${at}/disable`)
    expect(answer(await itself(second))).toBe('401 device_unpaired')
  })

  test('is rotated: a lost reply locks no device out, and the former one ends', async () => {
    const merchant = await newMerchant()
    const { credential: first } = await newPaired(merchant)
    const rotate = async (by: string) => asks(by, 'POST', '/v1/device/rotate-credential')
    const lost = (await rotate(first)).body.one_time_value!
    const received = (await rotate(first)).body.one_time_value!
    expect((await itself(first)).status).toBe(200)
    expect(answer(await itself(lost))).toBe('401 device_credential_rotated_out')
    expect((await itself(received)).status).toBe(200)
    await sql('update device_credentials set ends_at = now() where tenant_id = $1 and ends_at is not null', [
      merchant.tenantId,
    ])
    expect(answer(await itself(first))).toBe('401 device_credential_rotated_out')
    expect((await itself(received)).status).toBe(200)
  })

  test('is one after 50 rotations at once', async () => {
    const merchant = await newMerchant()
    const { credential } = await newPaired(merchant)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => asks(credential, 'POST', '/v1/device/rotate-credential')),
    )
    const given = answers.flatMap(({ body }) => body.one_time_value ?? [])
    expect(given.length).toBeGreaterThan(0)
    const open = await Promise.all(given.map(itself))
    expect(open.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  /* What the Worker refuses of it unseen is held over all operations in test/unit/http/refusals.test.ts. */
  test('and its pairing code open their own operations alone, where the database is asked', async () => {
    const merchant = await newMerchant()
    const { credential } = await newPaired(merchant, 'phone')
    const { credential: ofReader } = await newPaired(merchant, 'reader')
    const code = await newCode(merchant, await newDevice(merchant))
    const operations = await sql<{ id: string }>('select id from door_operations order by id')
    expect(operations.length).toBeGreaterThan(300)
    const openedBy = async (asked: object) => {
      const opened: string[] = []
      for (const { id } of operations) {
        const refused = await workerSql('sandbox')('select door.authorize($1::jsonb, $2)', [
          JSON.stringify(asked),
          id,
        ])
          .then(() => null)
          .catch((error: Error) => error.message)
        if (refused === null) opened.push(id)
        else expect(refused).toBe('credential_not_accepted')
      }
      return opened
    }
    const own = ['device.get', 'device.rotate_credential']
    const taking = [
      'device.get_action',
      'device.get_payment_secret',
      'device.next_action',
      'device.report_progress',
      'device.report_result',
      'sandbox.device.present_card',
    ]
    expect(await openedBy(asDevice(credential))).toEqual(
      [
        'connection_tokens.redeem',
        'device.attest',
        'device.create_attestation_challenge',
        ...own,
        ...taking,
      ].sort(),
    )
    const atReader = ['device.get_printout', 'device.forward_offline_payments']
    expect(await openedBy(asDevice(ofReader))).toEqual([...own, ...taking, ...atReader].sort())
    expect(await openedBy(proven(asPairing(code)))).toEqual(['device.pair'])
    // An operation may take some kinds alone.
    const client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
    await client.connect()
    await client.query('begin')
    await client.query(`insert into door_operations (id, access, tables) values ('test.readers', $1, '{}')`, [
      { device: { kinds: ['reader'] } },
    ])
    await expect(
      client.query('select door.authorize($1, $2)', [asDevice(credential), 'test.readers']),
    ).rejects.toThrow('credential_not_accepted')
    await client.query('rollback')
    await client.end()
    // Without the Worker's proof a code is refused: it is short enough to be tried.
    await expect(
      workerSql('sandbox')('select door.authorize($1::jsonb, $2)', [
        JSON.stringify(asPairing(code)),
        'device.pair',
      ]),
    ).rejects.toThrow('DOOR_SECRETS')
  })

  test('is refused with another secret, and a key opens nothing of the device', async () => {
    const merchant = await newMerchant()
    const { credential } = await newPaired(merchant)
    const digests = { 1: '0'.repeat(64) }
    await expect(
      workerSql('sandbox')('select door.authorize($1::jsonb, $2)', [
        JSON.stringify({ ...asDevice(credential), digests }),
        'device.get',
      ]),
    ).rejects.toThrow('device_credential_invalid')
    expect(answer(await itself(merchant.apiKey))).toBe('401 credential_not_accepted')
    expect(answer(await itself(mintDeviceKey({ environment: 'sandbox' }).token))).toBe(
      '401 device_credential_invalid',
    )
    const live = await call('GET', '/v1/device', { bearer: credential, environment: 'live' })
    expect(answer(live as never)).toBe('401 environment_mismatch')
  })
})
