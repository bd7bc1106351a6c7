import { describe, expect, test } from 'vitest'
import {
  ask,
  type Counter,
  inPerson,
  newCounter,
  newPhoneCounter,
  present,
  process,
} from '../../support/terminal.ts'

/** A sale after a card was presented, and its payment. */
async function taken(counter: Counter, card: object, asked: object = {}) {
  const { body: action } = await process(counter, asked)
  const presented = await present(counter, card)
  const { body: sale } = await inPerson(counter, action)
  const { body: payment } = await ask<{ method_details: object | null }>(
    counter.merchant,
    'GET',
    `/v1/payment-operations/payments/${action.payment_id}`,
  )
  return { action, presented, sale, payment }
}

const chip = { tvr: expect.stringMatching(/^[0-9A-F]{10}$/), tsi: expect.stringMatching(/^[0-9A-F]{4}$/) }

describe('how a card was read', () => {
  test.each([
    ['reader', 'tap', 'contactless_emv', 'none'],
    ['reader', 'tap_with_phone', 'contactless_emv', 'on_device'],
    ['reader', 'insert_with_pin', 'contact_emv', 'pin'],
    ['phone', 'tap', 'contactless_emv', 'none'],
    ['phone', 'tap_with_pin', 'contactless_emv', 'pin'],
  ])('is what a %s says of %s: %s, %s', async (kind, presented_as, entry_mode, cardholder_verification) => {
    const counter = kind === 'phone' ? await newPhoneCounter() : await newCounter()
    const { sale, payment } = await taken(counter, { presented_as })
    expect(sale.card).toEqual({
      brand: 'visa',
      last4: '4242',
      bin6: '424242',
      funding: 'credit',
      reading: {
        entry_mode,
        cardholder_verification,
        receipt: {
          authorization_code: expect.stringMatching(/^\d{6}$/),
          application_preferred_name: 'VISA CREDITO',
          dedicated_file_name: 'A0000000031010',
          application_cryptogram: expect.stringMatching(/^[0-9A-F]{16}$/),
          terminal_verification_results: chip.tvr,
          transaction_status_information: chip.tsi,
        },
      },
    })
    expect(payment.method_details).toEqual(sale.card)
  })

  test('has an authorization code alone where it was swiped', async () => {
    const { sale } = await taken(await newCounter(), { presented_as: 'swipe_with_signature' })
    expect(sale.card!.reading).toEqual({
      entry_mode: 'magnetic_stripe_fallback',
      cardholder_verification: 'signature',
      receipt: {
        authorization_code: expect.stringMatching(/^\d{6}$/),
        application_preferred_name: null,
        dedicated_file_name: null,
        application_cryptogram: null,
        terminal_verification_results: null,
        transaction_status_information: null,
      },
    })
  })

  test('stays the same when it is authorized, captured and read again', async () => {
    const counter = await newCounter()
    const { action, sale } = await taken(
      counter,
      { presented_as: 'insert_with_pin' },
      { capture_method: 'manual' },
    )
    expect(sale.status).toBe('authorized')
    expect((await inPerson(counter, action, 'capture')).body.card).toEqual(sale.card)
    expect((await inPerson(counter, action)).body.card).toEqual(sale.card)
  })

  test('is not known before a card is approved', async () => {
    const counter = await newCounter()
    const { body: action } = await process(counter)
    expect((await inPerson(counter, action)).body.card).toBeNull()
    await present(counter, { card: 'tok_sbx_decline_funds', presented_as: 'insert_with_pin' })
    expect((await inPerson(counter, action)).body.card).toBeNull()
  })

  test('is not by a slot that a phone lacks', async () => {
    const counter = await newPhoneCounter()
    const { presented } = await taken(counter, { presented_as: 'insert_with_pin' })
    expect(presented.status).toBe(422)
    expect(presented.body.error).toMatchObject({ code: 'parameter_invalid', param: 'presented_as' })
  })
})
