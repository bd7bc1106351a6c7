import { expect, test } from 'vitest'
import { keptClave } from '../../../functions/money/payments/deposits.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'

const secrets = { current: '1', byVersion: { 1: 'the first secret' } }
const kept = (clave: string, more: Record<string, string> = {}) =>
  keptClave({ current: '1', byVersion: { ...secrets.byVersion, ...more } }, clave)

test.each(['SBX20260613000000001', '4242424242424243', '085901030410316408', 'A', '9'.repeat(30)])(
  '%s is stored unchanged',
  async (clave) => expect(await kept(clave)).toBe(clave),
)

test.each(['4242424242424242', 'X4111111111111111', '4111111111111111'])(
  '%s may be a card number: a stand-in replaces it, always the same',
  async (clave) => {
    expect(containsCardNumber(clave)).toBe(true)
    const masked = await kept(clave)
    expect(masked).toMatch(/^MASKED[A-P]{24}$/)
    expect([await kept(clave), await kept(clave, { 2: 'another secret' })]).toEqual([masked, masked])
    expect(await kept(`${clave}A`)).not.toBe(masked)
  },
)
