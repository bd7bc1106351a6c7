import { expect, test } from 'vitest'
import { cepOfArrived, cepOfSent } from '../../../src/kernel/cep.ts'

const clabe = '032180000118359719'

test('what was sent is proved once it is paid, on the bank day of that', () => {
  // Saturday evening in Mexico City: the banks' next day is Tuesday 17 March, Monday being a holiday.
  const cep = cepOfSent('ABC123', clabe, new Date('2026-03-15T01:00:00Z'))
  expect(cep).toEqual({
    url: 'https://www.banxico.org.mx/cep/',
    operated_on: '2026-03-17',
    clave_rastreo: 'ABC123',
    sender_bank_name: null,
    receiver_bank_name: 'Banorte (Ixe)',
  })
  const paidAt = new Date('2026-06-15T18:00:00Z')
  expect(cepOfSent('ABC123', clabe, paidAt)?.operated_on).toBe('2026-06-15')
  expect(cepOfSent('ABC123', '999180000118359719', paidAt)?.receiver_bank_name).toBeNull()
  for (const unpaid of [
    cepOfSent(null, clabe, paidAt),
    cepOfSent('ABC123', null, paidAt),
    cepOfSent('ABC123', clabe, null),
  ])
    expect(unpaid).toBeNull()
})

test('what arrived has both banks by their codes; a masked tracking key proves nothing', () => {
  const arrived = {
    claveRastreo: 'XYZ9',
    operatedOn: '2026-06-13',
    senderBank: '40012',
    clabe: '646180000000000012',
  }
  expect(cepOfArrived(arrived)).toMatchObject({
    operated_on: '2026-06-13',
    sender_bank_name: 'BBVA México',
    receiver_bank_name: 'STP',
  })
  expect(cepOfArrived({ ...arrived, senderBank: 'unknown' })?.sender_bank_name).toBeNull()
  expect(cepOfArrived({ ...arrived, claveRastreo: 'MASKEDabcdef' })).toBeNull()
})
