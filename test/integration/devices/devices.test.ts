import { describe, expect, test } from 'vitest'
import { type DeviceKind, deviceKinds, kinds } from '../../../functions/in-person/devices/kinds.ts'
import {
  answer,
  asks,
  type Code,
  type Device,
  kidOf,
  newCode,
  newDevice,
  newLocation,
  newPaired,
  pairWith,
} from '../../support/devices.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack, workerCall } from '../../support/stack.ts'

const sql = adminSql('sandbox')
const typesOf = async (tenantId: string, id: string) =>
  (
    await sql<{ type: string }>(
      'select type from events where tenant_id = $1 and resource_id = $2 order by sequence',
      [tenantId, id],
    )
  ).map(({ type }) => type)

describe.each(deviceKinds)('a %s', (kind: DeviceKind) => {
  const { path } = kinds[kind]

  test('is created, paired, changed, unpaired, disabled and enabled, each with its event', async () => {
    const merchant = await newMerchant()
    const { apiKey } = merchant
    const device = await newDevice(merchant, kind)
    expect(device).toMatchObject({ object: kind, status: 'unpaired', connection: 'never_seen', version: 1 })
    const at = `${path}/${device.id}`
    const paired = (await pairWith(await newCode(merchant, device))).body
    expect(paired).toMatchObject({ id: device.id, status: 'paired', version: 2 })
    expect(paired.one_time_value).toMatch(/^dk_sbx_a[0-9a-z]{16}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect((await asks(paired.one_time_value!, 'GET', '/v1/device')).body).toMatchObject({
      id: device.id,
      connection: 'online',
    })
    await expect
      .poll(async () => (await asks(apiKey, 'GET', at)).body)
      .toMatchObject({ connection: 'online', version: 2 })

    expect((await asks(apiKey, 'PATCH', at, { name: 'Terraza' })).body).toMatchObject({
      name: 'Terraza',
      version: 3,
    })
    expect(answer(await asks(apiKey, 'POST', `${at}/unpair`))).toBe('200 unpaired')
    expect(answer(await asks(apiKey, 'POST', `${at}/unpair`))).toBe('409 device_not_paired')
    expect(answer(await asks(apiKey, 'POST', `${at}/disable`))).toBe('200 disabled')
    expect(answer(await asks(apiKey, 'PATCH', at, { name: 'x' }))).toBe('409 device_disabled')
    expect(answer(await asks<Code>(apiKey, 'POST', `${at}/pairing-codes`))).toBe('409 device_disabled')
    expect(answer(await asks(apiKey, 'POST', `${at}/enable`))).toBe('200 unpaired')
    expect(answer(await asks(apiKey, 'POST', `${at}/enable`))).toBe('409 device_not_disabled')
    expect(await typesOf(merchant.tenantId, device.id)).toEqual(
      ['created', 'paired', 'updated', 'unpaired', 'disabled', 'enabled'].map((type) => `${kind}.${type}`),
    )
  })

  test('is none of another kind, nor of another workspace', async () => {
    const merchant = await newMerchant()
    const device = await newDevice(merchant, kind)
    for (const other of deviceKinds.filter((each) => each !== kind))
      expect(answer(await asks(merchant.apiKey, 'GET', `${kinds[other].path}/${device.id}`))).toBe(
        '404 device_not_found',
      )
    const stranger = await newMerchant()
    expect(answer(await asks(stranger.apiKey, 'GET', `${path}/${device.id}`))).toBe('404 device_not_found')
  })
})

test('a device stands at an active location of its workspace, under a name of its own there', async () => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  const { apiKey } = merchant
  const [roma, condesa] = [await newLocation(merchant, 'Roma'), await newLocation(merchant, 'Condesa')]
  const create = (fields: object) => asks(apiKey, 'POST', '/v1/terminal/readers', fields)
  const made = await create({ name: 'Caja', location_id: roma })
  expect(answer(made)).toBe('201 unpaired')
  expect(answer(await create({ name: 'CAJA', location_id: roma }))).toBe('409 device_name_taken')
  expect(answer(await create({ name: 'Caja', location_id: condesa }))).toBe('201 unpaired')
  expect(answer(await create({ name: 'Caja', location_id: await newLocation(stranger) }))).toBe(
    '404 location_not_found',
  )
  await asks(apiKey, 'POST', `/v1/workspace/locations/${condesa}/archive`)
  expect(answer(await create({ name: 'Otra', location_id: condesa }))).toBe('409 location_archived')
  const at = `/v1/terminal/readers/${made.body.id}`
  expect(answer(await asks(apiKey, 'PATCH', at, { location_id: condesa }))).toBe('409 location_archived')
  // The name of a disabled one is free.
  await asks(apiKey, 'POST', `${at}/disable`)
  expect(answer(await create({ name: 'caja', location_id: roma }))).toBe('201 unpaired')
  expect(answer(await asks(apiKey, 'POST', `${at}/enable`))).toBe('409 device_name_taken')
})

test('a paired device stays at its location, also where the database is asked', async () => {
  const merchant = await newMerchant()
  const { id, location_id } = await newPaired(merchant)
  const elsewhere = await newLocation(merchant, 'Condesa')
  const at = `/v1/terminal/readers/${id}`
  const move = (to: string) => asks(merchant.apiKey, 'PATCH', at, { location_id: to })
  expect(answer(await move(elsewhere))).toBe('409 device_already_paired')
  expect(answer(await move(location_id))).toBe('200 paired')
  await expect(sql('update devices set location_id = $1 where id = $2', [elsewhere, id])).rejects.toThrow(
    'a paired device stays at its location',
  )
  await expect(
    sql('update devices set pairings_count = pairings_count - 1 where id = $1', [id]),
  ).rejects.toThrow('a pairing counts')
  await asks(merchant.apiKey, 'POST', `${at}/unpair`)
  expect(answer(await move(elsewhere))).toBe('200 unpaired')
  await asks(merchant.apiKey, 'POST', `/v1/workspace/locations/${elsewhere}/archive`)
  expect(answer(await asks<Code>(merchant.apiKey, 'POST', `${at}/pairing-codes`))).toBe(
    '409 location_archived',
  )
})

test('a workspace has at most 1,000 that are not disabled, also where 10 come at once', async () => {
  const merchant = await newMerchant()
  const { id } = await newDevice(merchant)
  const at = `/v1/terminal/readers/${id}`
  await asks(merchant.apiKey, 'POST', `${at}/disable`)
  const location_id = await newLocation(merchant)
  await sql(
    `insert into devices (tenant_id, id, kind, status, name, location_id, metadata, version, created_at, updated_at)
     select $1, gen_random_uuid(), 'reader', 'unpaired', 'Of ' || n, $2, '{}', 1, now(), now() from generate_series(1, 998) n`,
    [merchant.tenantId, location_id],
  )
  const create = (name: string) =>
    asks(merchant.apiKey, 'POST', '/v1/terminal/readers', { name, location_id })
  const answers = (await Promise.all(Array.from({ length: 10 }, (_, nth) => create(`New ${nth}`)))).map(
    answer,
  )
  expect(answers.filter((each) => each === '201 unpaired')).toHaveLength(2)
  expect(answers.filter((each) => each === '409 device_limit_reached')).toHaveLength(8)
  expect(answer(await asks(merchant.apiKey, 'POST', `${at}/enable`))).toBe('409 device_limit_reached')
})

describe('whether a device is online', () => {
  test('follows from when it was heard of, and only informs', async () => {
    const merchant = await newMerchant()
    const { id, credential } = await newPaired(merchant)
    const seen = async (secondsAgo: number) => {
      await sql(`update devices set last_seen_at = now() - $1 * interval '1 second' where id = $2`, [
        secondsAgo,
        id,
      ])
      const { body } = await asks(merchant.apiKey, 'GET', `/v1/terminal/readers/${id}`)
      return [body.connection, body.version]
    }
    expect(await seen(140)).toEqual(['online', 2])
    expect(await seen(160)).toEqual(['offline', 2])
    // What is asked of it waits for it.
    const asked = await asks(merchant.apiKey, 'POST', `/v1/terminal/readers/${id}/process-payment`, {
      amount: '120000',
      currency: 'mxn',
    })
    expect(asked.status).toBe(201)
    expect(answer(await asks(credential, 'POST', '/v1/device/rotate-credential'))).toBe('200 paired')
    expect((await asks(credential, 'GET', '/v1/device')).body).toMatchObject({ connection: 'online' })
  })

  test('nothing waits for it: a row that another holds is not written', async () => {
    const merchant = await newMerchant()
    const { id, credential } = await newPaired(merchant)
    await sql(`update devices set last_seen_at = now() - interval '1 day' where id = $1`, [id])
    const held = new Client({ connectionString: stack.databases.sandbox.adminUrl })
    await held.connect()
    await held.query('begin')
    await held.query('select from devices where id = $1 for update', [id])
    await workerCall('door.saw_device(text)', [kidOf(credential)])
    await held.query('rollback')
    await held.end()
    const heard = async () =>
      (await sql(`select from devices where id = $1 and last_seen_at > now() - interval '1 hour'`, [id]))
        .length
    expect(await heard()).toBe(0)
    await workerCall('door.saw_device(text)', [kidOf(credential)])
    expect(await heard()).toBe(1)
  })

  test('a clock of its own says nothing: neither a header nor a field is taken', async () => {
    const merchant = await newMerchant()
    const { credential } = await newPaired(merchant)
    for (const date of ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT']) {
      const { body } = await call<Device>('GET', '/v1/device', {
        bearer: credential,
        headers: { 'x-date': date },
      })
      const skewMs = Math.abs(Date.now() - Date.parse(body.last_seen_at!))
      expect(skewMs).toBeLessThan(60_000)
    }
    const code = await newCode(merchant, await newDevice(merchant))
    const told = await asks(code, 'POST', '/v1/device/pair', { device_time: '2100-01-01T00:00:00Z' })
    expect(answer(told)).toBe('422 parameter_unknown')
  })
})
