import { describe, expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { clabeOf, endow, statusesOf, toClabe, transfer } from '../../support/transfers.ts'

/* A wrong request is refused by its own error, names its field, and leaves nothing behind. */

const right = clabeOf()
const wrongDigit = `${right.slice(0, 17)}${(Number(right[17]) + 1) % 10}`
const nowhere = { type: 'tenant', tenant_id: 'tn_nobody_has_this' }

const cases: [what: string, fields: Record<string, unknown>, code: string, param: string][] = [
  ['zero', { amount: '0' }, 'transfer_amount_not_positive', 'amount'],
  ['minus zero', { amount: '-0' }, 'transfer_amount_not_positive', 'amount'],
  ['less than nothing', { amount: '-1000' }, 'transfer_amount_not_positive', 'amount'],
  ['a fraction', { amount: '10.5' }, 'amount_malformed', 'amount'],
  ['more than 18 digits', { amount: '1000000000000000000' }, 'amount_malformed', 'amount'],
  ['a number', { amount: 1000 }, 'parameter_invalid', 'amount'],
  ['no amount', { amount: undefined }, 'parameter_missing', 'amount'],
  ['an exponent', { amount: '1e3' }, 'amount_malformed', 'amount'],
  ['more than there is', { amount: '5001' }, 'insufficient_funds', 'amount'],
  ['another currency', { currency: 'xxx' }, 'currency_unsupported', 'currency'],
  ['no currency at all', { currency: 'MXN' }, 'parameter_invalid', 'currency'],
  ['dollars to a CLABE', { currency: 'usd' }, 'currency_unsupported', 'currency'],
  [
    'a wrong check digit',
    { destination: { ...toClabe(), clabe: wrongDigit } },
    'clabe_invalid',
    'destination.clabe',
  ],
  [
    '17 digits',
    { destination: { ...toClabe(), clabe: right.slice(0, 17) } },
    'clabe_invalid',
    'destination.clabe',
  ],
  ['no holder', { destination: { ...toClabe(), holder: '' } }, 'parameter_invalid', 'destination.holder'],
  [
    'a holder of 41',
    { destination: { ...toClabe(), holder: 'x'.repeat(41) } },
    'parameter_invalid',
    'destination.holder',
  ],
  [
    'a blank holder',
    { destination: { ...toClabe(), holder: '  ' } },
    'parameter_invalid',
    'destination.holder',
  ],
  ['a concept of 41', { concept: 'x'.repeat(41) }, 'parameter_invalid', 'concept'],
  ['no concept', { concept: '' }, 'parameter_invalid', 'concept'],
  ['a blank concept', { concept: '  ' }, 'parameter_invalid', 'concept'],
  ['a card number for a concept', { concept: '4242 4242 4242 4242' }, 'card_number_refused', 'concept'],
  [
    'to an unknown workspace',
    { destination: nowhere },
    'transfer_destination_unknown',
    'destination.tenant_id',
  ],
  [
    'a workspace with a CLABE',
    { destination: { ...nowhere, clabe: right } },
    'parameter_unknown',
    'destination.clabe',
  ],
  ['some other place', { destination: { type: 'card' } }, 'parameter_invalid', 'destination.type'],
]

describe('a transfer of', () => {
  test.each(cases)('%s', async (_what, fields, code, param) => {
    const merchant = await newMerchant()
    await endow(merchant, 5_000n)
    const { status, body } = await transfer(merchant, fields)
    expect([body.error?.code, body.error?.param]).toEqual([code, param])
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect([await statusesOf(merchant.tenantId), await journalsOf(merchant.tenantId)]).toEqual([
      {},
      { incoming: 1 },
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('its own workspace', async () => {
    const merchant = await newMerchant()
    const destination = { type: 'tenant', tenant_id: merchant.tenantId }
    const { status, body } = await transfer(merchant, { destination })
    expect([status, body.error?.code, body.error?.param]).toEqual([
      422,
      'transfer_destination_own',
      'destination.tenant_id',
    ])
  })
})
