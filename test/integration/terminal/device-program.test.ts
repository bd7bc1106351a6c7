import { expect, test } from 'vitest'
import { device } from '../../../local/device.ts'
import { newConfiguration } from '../../support/configurations.ts'
import { join, newCustomer } from '../../support/customer.ts'
import { asks, newCode, newDevice, newPaired } from '../../support/devices.ts'
import { newMerchant } from '../../support/merchant.ts'
import { listOffline, offlineBooks } from '../../support/offline.ts'
import { requires } from '../../support/phones.ts'
import { stack } from '../../support/stack.ts'
import { type Action, ask, asksFor, asksTip, present, process } from '../../support/terminal.ts'

test('npm run device does what it is asked: it chooses a tip, shows, prints and answers', async () => {
  const merchant = await newMerchant()
  const reader = { ...(await newDevice(merchant)), credential: '' }
  const sold = { merchant, reader: await newPaired(merchant) }
  const { body: taken } = await process(sold)
  await present(sold)
  const code = await newCode(merchant, reader)
  const asking = [
    () => asksTip({ merchant, reader }),
    () =>
      asksFor({ merchant, reader }, 'collect-input', {
        inputs: [
          { type: 'phone', title: 'Celular', required: true },
          { type: 'email', title: 'Correo' },
        ],
      }),
    () => asksFor({ merchant, reader }, 'display', { line_items: [{ name: 'Café', unit_amount: '5800' }] }),
    () => asksFor({ merchant, reader }, 'print', { in_person_payment_id: taken.in_person_payment_id }),
    () => asksFor({ merchant, reader }, 'ping'),
  ]
  const { baseUrl } = stack.sandbox
  const running = device(['--pair', code, '--base', baseUrl, '--key', merchant.apiKey], asking.length)
  const listed = async () =>
    (await ask<{ data: Action[] }>(merchant, 'GET', `/v1/terminal/actions?reader_id=${reader.id}`)).body.data
  for (const [at, asks] of asking.entries()) {
    await expect.poll(async () => (await asks()).status, { timeout: 20_000 }).toBe(201)
    await expect
      .poll(async () => (await listed()).filter(({ status }) => status === 'succeeded').length, {
        timeout: 20_000,
      })
      .toBe(at + 1)
  }
  expect(await running).toBe(0)
  expect((await listed()).map(({ type }) => type)).toEqual([
    'ping',
    'print',
    'display',
    'collect_input',
    'collect_tip',
  ])
  expect((await listed()).at(-1)?.tip?.chosen).toEqual({ kind: 'preset', amount: '4500' })
})

test('npm run device waits for a card, shows how it ended, and says so', async () => {
  const merchant = await newMerchant()
  const reader = { ...(await newDevice(merchant)), credential: '' }
  const counter = { merchant, reader }
  const { baseUrl } = stack.sandbox
  const code = await newCode(merchant, reader)
  const running = device(['--pair', code, '--base', baseUrl, '--key', merchant.apiKey], 2)
  for (const [card, reported_as] of [
    ['tok_sbx_approve', 'completed'],
    ['tok_sbx_decline_funds', 'failed'],
  ]) {
    let id = ''
    await expect
      .poll(
        async () => {
          const { status, body } = await process(counter)
          id = body.id
          return status
        },
        { timeout: 20_000 },
      )
      .toBe(201)
    const action = async () => (await ask(merchant, 'GET', `/v1/terminal/actions/${id}`)).body
    await expect.poll(async () => (await action()).step, { timeout: 20_000 }).toBe('waiting_for_card')
    expect((await present(counter, { card })).status).toBe(200)
    await expect.poll(async () => (await action()).reported_as, { timeout: 20_000 }).toBe(reported_as)
  }
  expect(await running).toBe(0)
})

test('npm run device loses its network, stores what it may, and forwards it', async () => {
  const merchant = await newMerchant()
  const reader = await newDevice(merchant)
  const offline = {
    enabled: true,
    currency: 'mxn',
    amount_max: '12000',
    stored_amount_max: '24000',
    stored_hours_max: 1,
  }
  const { id } = await newConfiguration(merchant, { offline })
  await asks(merchant.apiKey, 'PATCH', `/v1/terminal/readers/${reader.id}`, { terminal_configuration_id: id })
  const code = await newCode(merchant, reader)
  const options = ['--base', stack.sandbox.baseUrl, '--key', merchant.apiKey, '--offline-seconds', '0.5']
  expect(await device(['--pair', code, ...options], 1)).toBe(0)
  expect((await listOffline(merchant)).map(({ status }) => status)).toEqual(['succeeded'])
  expect(await offlineBooks(merchant)).toMatchObject({ payments: 1, captured: '12000', charged: '12000' })
})

test('npm run device is a phone that attests itself where that is required', async () => {
  const merchant = await newMerchant()
  const customer = await newCustomer()
  await join(customer, merchant)
  await requires(customer, merchant, true)
  const phone = await newDevice(merchant, 'phone')
  const code = await newCode(merchant, phone)
  expect(await device(['--pair', code, '--base', stack.sandbox.baseUrl, '--key', merchant.apiKey], 0)).toBe(0)
  const { body } = await ask<{ data: object[] }>(
    merchant,
    'GET',
    `/v1/tap-to-pay/sessions?device_id=${phone.id}`,
  )
  expect(body.data).toMatchObject([{ status: 'open' }])
})
