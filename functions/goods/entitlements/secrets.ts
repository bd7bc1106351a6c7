import { sha256Hex } from '../../../src/platform/crypto.ts'

/** The contexts that codes and keys are encrypted with. */
export const codeContext = (entitlementId: string) => `entitlement:${entitlementId}`
export const keyContext = (keyId: string) => `license_key:${keyId}`

/** Crockford's letters: no I, L, O and U. https://www.crockford.com/base32.html */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 16

/** A code of 80 random bits in four groups: `7D2K-M9QX-0RTB-X7QD`. It never looks like a card number. */
export function newCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(codeLength))
  const code = Array.from(random, (byte) => letters[byte & 31]).join('')
  return /[A-Z]/.test(code) ? code.replace(/(.{4})(?!$)/g, '$1-') : newCode()
}

/** A code as it was typed, in its one spelling. */
const spelled = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')

/** What a code is found by. */
export const digestOfCode = (typed: string) => sha256Hex(`entitlement_code:${spelled(typed)}`)
/** What tells the keys of an item apart. */
export const digestOfKey = (itemId: string, key: string) => sha256Hex(`license_key:${itemId}:${key}`)

export const last4Of = (text: string) => text.slice(-4)
