import { describe, expect, test } from 'vitest'
import { kinds } from '../../../functions/in-person/devices/kinds.ts'
import { answer, asks, type Device, newDevice, roma } from '../../support/devices.ts'
import { newMerchant } from '../../support/merchant.ts'
import {
  answerOf,
  ask,
  asksFor,
  asksTip,
  booksOf,
  present,
  process,
  read,
  refusal,
  times,
} from '../../support/terminal.ts'

/** A merchant with a reader that is not paired, at a location with an address. */
async function newCounter() {
  const merchant = await newMerchant()
  const device = await newDevice(merchant, 'reader', { address: roma })
  return { merchant, reader: { ...device, credential: '' } }
}

const registers = (
  { merchant, reader }: Awaited<ReturnType<typeof newCounter>>,
  registration_code = 'simulated-s700',
) => asks(merchant.apiKey, 'POST', `${kinds.reader.path}/${reader.id}/register`, { registration_code })

describe('a reader of the sandbox that is registered by its code', () => {
  test('is paired, takes a card, shows lines and asks its buyer, and does nothing else', async () => {
    const counter = await newCounter()
    expect((await registers(counter)).body).toMatchObject({
      status: 'paired',
      model: 'simulated_stripe_s700',
      connection: 'never_seen',
    })
    const { body: asked } = await asksTip(counter)
    expect((await read(counter, asked)).tip).toMatchObject({ chosen: { kind: 'preset', amount: '4500' } })
    expect(refusal(await asksTip(counter, { allows_other: true }))).toBe('422 parameter_invalid allows_other')
    expect(answerOf(await asksFor(counter, 'ping'))).toBe('422 reader_pays_alone')
    const inputs = [
      { type: 'email', title: 'Correo' },
      {
        type: 'selection',
        title: 'Cómo',
        choices: [
          { id: 'a', text: 'A' },
          { id: 'b', text: 'B' },
        ],
      },
    ]
    const { body: details } = await asksFor(counter, 'collect-input', { inputs })
    expect(details).toMatchObject({ status: 'in_progress', answers: null })
    expect(await read(counter, details)).toMatchObject({
      status: 'succeeded',
      answers: [{ value: 'ana@example.com' }, { value: 'a' }],
    })
    const long = [{ type: 'text', title: 'a'.repeat(41) }]
    expect(refusal(await asksFor(counter, 'collect-input', { inputs: long }))).toBe(
      '422 parameter_invalid inputs.0.title',
    )
    const { body } = await asksFor(counter, 'display', { line_items: null })
    expect((await read(counter, body)).status).toBe('succeeded')
    expect(answerOf(await process(counter))).toBe('201 in_progress')
    expect(answerOf(await present(counter))).toBe('200 succeeded')
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'succeeded', captured: '120000', journals: 1 },
    ])
  })

  test('is registered once by fifty at once, and again once it is unpaired', async () => {
    const counter = await newCounter()
    const answers = (await times(() => registers(counter))).map(answer)
    expect(answers.filter((each) => each === '200 paired')).toHaveLength(1)
    expect(new Set(answers)).toEqual(new Set(['200 paired', '409 device_already_paired']))
    const { reader, merchant } = counter
    await ask<Device>(merchant, 'POST', `${kinds.reader.path}/${reader.id}/unpair`)
    expect(answerOf(await process(counter))).toBe('409 device_not_paired')
    expect(answer(await registers(counter))).toBe('200 paired')
  })

  test('is none by another code, without an address, disabled, at a closed place, or of another workspace', async () => {
    const counter = await newCounter()
    expect(answer(await registers(counter, 'none'))).toBe('422 reader_code_refused')
    const nowhere = { ...counter, reader: { ...(await newDevice(counter.merchant)), credential: '' } }
    expect(answer(await registers(nowhere))).toBe('422 location_takes_no_readers')
    const stranger = { ...counter, merchant: await newMerchant() }
    expect(answer(await registers(stranger))).toBe('404 device_not_found')
    const { reader, merchant } = counter
    await ask(merchant, 'POST', `/v1/workspace/locations/${reader.location_id}/archive`)
    expect(answer(await registers(counter))).toBe('409 location_archived')
    await ask(merchant, 'POST', `${kinds.reader.path}/${reader.id}/disable`)
    expect(answer(await registers(counter))).toBe('409 device_disabled')
  })
})
