import { describe, expect, test } from 'vitest'
import { configures, newConfiguration, offline, told } from '../../support/configurations.ts'
import { asks, newLocation, newPaired } from '../../support/devices.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { asksTip, eventsOf, newCounter, newPhoneCounter, refusal } from '../../support/terminal.ts'

const said = ({ status, body }: { status: number; body: { status?: string; error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? body.status}`
const naming = (id: string | null) => ({ terminal_configuration_id: id })

describe('a configuration of devices', () => {
  test('is created, changed and archived, each with its event', async () => {
    const merchant = await newMerchant()
    const { body: made } = await configures(merchant, 'POST', '', { name: 'Mostradores' })
    expect(made).toMatchObject({ status: 'active', tips: null, languages: ['es-MX', 'en'], version: 1 })
    expect(made.offline).toEqual({ ...offline, enabled: false, stored_amount_max: '500000' })
    const changed = await configures(merchant, 'PATCH', `/${made.id}`, { offline })
    expect(changed.body).toMatchObject({ name: 'Mostradores', offline, version: 2 })
    expect((await configures(merchant, 'GET', `/${made.id}`)).body).toEqual(changed.body)
    const archive = () => configures(merchant, 'POST', `/${made.id}/archive`)
    expect([said(await archive()), said(await archive())]).toEqual([
      '200 archived',
      '409 terminal_configuration_archived',
    ])
    expect(said(await configures(merchant, 'PATCH', `/${made.id}`, { name: 'x' }))).toBe(
      '409 terminal_configuration_archived',
    )
    expect(await eventsOf(merchant, 'terminal_configuration')).toEqual(['created', 'updated', 'archived'])
  })

  test('has a name of its own among the active ones, also where two come at once', async () => {
    const merchant = await newMerchant()
    const create = (name: string) => configures(merchant, 'POST', '', { name })
    const answers = await Promise.all(['Barra', 'BARRA', 'barra'].map(create))
    expect(answers.map(said).sort()).toEqual([
      '201 active',
      '409 terminal_configuration_name_taken',
      '409 terminal_configuration_name_taken',
    ])
    await configures(merchant, 'POST', `/${answers.find(({ status }) => status === 201)!.body.id}/archive`)
    expect(said(await create('Barra'))).toBe('201 active')
    const { data } = (
      await call<{ data: unknown[] }>('GET', '/v1/terminal/configurations?status=archived', {
        bearer: merchant.apiKey,
      })
    ).body
    expect(data).toHaveLength(1)
  })

  test.each([
    ['languages', { languages: ['en', 'en'] }],
    ['languages', { languages: [] }],
    ['tips', { tips: { presets: [], allows_other: false, allows_none: true } }],
    ['offline.stored_amount_max', { offline: { ...offline, stored_amount_max: '49999' } }],
    ['offline.amount_max', { offline: { ...offline, amount_max: '0' } }],
    ['offline.stored_hours_max', { offline: { ...offline, stored_hours_max: 73 } }],
  ])('is refused with the field at fault: %s', async (param, fields) => {
    const merchant = await newMerchant()
    expect(refusal(await configures(merchant, 'POST', '', { name: 'Barra', ...fields }))).toBe(
      `422 parameter_invalid ${param}`,
    )
  })

  test.each(['usd', 'eur'])(
    'lets readers store nothing in %s, in which no device takes cards',
    async (currency) => {
      const merchant = await newMerchant()
      const refused = '422 currency_unsupported offline.currency'
      const made = (enabled: boolean) => ({ name: 'Barra', offline: { ...offline, currency, enabled } })
      expect(refusal(await configures(merchant, 'POST', '', made(true)))).toBe(refused)
      const { body } = await configures(merchant, 'POST', '', made(false))
      expect(body).toMatchObject({ status: 'active', offline: { currency, enabled: false } })
      expect(refusal(await configures(merchant, 'PATCH', `/${body.id}`, made(true)))).toBe(refused)
      const renamed = await configures(merchant, 'PATCH', `/${body.id}`, { name: 'Terraza' })
      expect(renamed.body).toMatchObject({ name: 'Terraza', version: 2 })
    },
  )

  test('takes nothing offline in live, where no processor would take it afterwards', async () => {
    const merchant = await newMerchant({ environment: 'live' })
    const live = (body: object) =>
      call<{ status: string; error?: { code: string; param: string } }>(
        'POST',
        '/v1/terminal/configurations',
        {
          environment: 'live',
          bearer: merchant.apiKey,
          body: body as never,
        },
      )
    expect(said(await live({ name: 'Barra' }))).toBe('201 active')
    const refused = await live({ name: 'Terraza', offline })
    expect(`${said(refused)} ${refused.body.error?.param}`).toBe(
      '422 payment_method_unavailable offline.enabled',
    )
  })
})

describe('a device is told', () => {
  test('the configuration that it names itself, else that of its location, as it is now', async () => {
    const { merchant, reader } = await newCounter()
    const [own, ofPlace] = [await newConfiguration(merchant), await newConfiguration(merchant)]
    const name = (at: string, id: string | null) => asks(merchant.apiKey, 'PATCH', at, naming(id))
    const [itself, place] = [
      `/v1/terminal/readers/${reader.id}`,
      `/v1/workspace/locations/${reader.location_id}`,
    ]
    expect(await told(reader)).toBeNull()
    await name(place, ofPlace.id)
    expect(await told(reader)).toMatchObject({ id: ofPlace.id, version: 1 })
    expect((await name(itself, own.id)).body).toMatchObject(naming(own.id))
    expect(await told(reader)).toMatchObject({ id: own.id })
    await configures(merchant, 'PATCH', `/${own.id}`, { languages: ['en'] })
    expect(await told(reader)).toMatchObject({ version: 2, languages: ['en'] })
    await configures(merchant, 'POST', `/${own.id}/archive`)
    expect(await told(reader)).toBeNull()
    await name(itself, null)
    expect(await told(reader)).toMatchObject({ id: ofPlace.id })
  })

  test('none of another workspace, none that is archived, and a register none at all', async () => {
    const { merchant, reader } = await newCounter()
    const [foreign, gone] = [await newConfiguration(await newMerchant()), await newConfiguration(merchant)]
    await configures(merchant, 'POST', `/${gone.id}/archive`)
    const register = await newPaired(merchant, 'register')
    const asked = (at: string, id: string) => asks(merchant.apiKey, 'PATCH', at, naming(id))
    for (const at of [`/v1/terminal/readers/${reader.id}`, `/v1/workspace/locations/${reader.location_id}`]) {
      for (const id of [foreign.id, crypto.randomUUID()])
        expect(said(await asked(at, id))).toBe('404 terminal_configuration_not_found')
      expect(said(await asked(at, gone.id))).toBe('409 terminal_configuration_archived')
    }
    const refused = await asked(`/v1/physical-checkout/registers/${register.id}`, gone.id)
    expect(said(refused)).toBe('422 parameter_unknown')
    const location_id = await newLocation(merchant, 'Condesa')
    const made = { name: 'Barra', location_id, ...naming(foreign.id) }
    expect(said(await asks(merchant.apiKey, 'POST', '/v1/terminal/readers', made))).toBe(
      '404 terminal_configuration_not_found',
    )
  })
})

describe('the tips of a configuration', () => {
  const tips = {
    presets: [{ bps: 2000 }, { amount: '60000' }, { amount: '3000' }],
    allows_other: false,
    allows_none: false,
  }

  test.each([
    ['reader', newCounter, '/v1/terminal/readers'],
    ['phone', newPhoneCounter, '/v1/tap-to-pay/devices'],
  ])(
    'are offered at a %s where the till names none, as far as the amount allows them',
    async (_, open, at) => {
      const counter = await open()
      const { merchant, reader } = counter
      const { id } = await newConfiguration(merchant, { tips })
      await asks(merchant.apiKey, 'PATCH', `${at}/${reader.id}`, naming(id))
      const { body } = await asksTip(counter, { presets: undefined })
      expect(body.tip).toMatchObject({
        presets: [
          { bps: 2000, amount: '9000' },
          { bps: null, amount: '3000' },
        ],
        allows_other: false,
        allows_none: false,
      })
    },
  )

  test('give way to what the till names', async () => {
    const counter = await newCounter()
    const { id } = await newConfiguration(counter.merchant, { tips })
    await asks(counter.merchant.apiKey, 'PATCH', `/v1/terminal/readers/${counter.reader.id}`, naming(id))
    const { body } = await asksTip(counter, { presets: [{ bps: 500 }], allows_other: true })
    expect(body.tip).toMatchObject({ presets: [{ bps: 500, amount: '2250' }], allows_other: true })
  })
})
