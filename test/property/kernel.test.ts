import './seed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mintApiKey, obfuscate, parseApiKey } from '../../src/kernel/api-key.ts'
import { addBankDays, isBankDay, mexicoCityDate, mexicoCityInstant } from '../../src/kernel/bank-days.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { containsCardNumber } from '../../src/kernel/card-number.ts'
import { clabeWithCheckDigit, isClabe } from '../../src/kernel/clabe.ts'
import { base36Alphabet, uuidv7 } from '../../src/kernel/ids.ts'
import type { Json } from '../../src/kernel/json.ts'

/** The same value, its keys inserted in another order at every depth. */
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, Json> = Object.create(null)
  for (const [key, member] of Object.entries(value).reverse()) copy[key] = reordered(member as Json)
  return copy
}

describe('canonicalJson', () => {
  const json = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<Json>

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value))
      }),
    )
  })

  it('says the same value, once', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text)
      }),
    )
  })

  it('has no whitespace outside strings', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value).replace(/"(\\.|[^"\\])*"/g, '')).not.toMatch(/\s/)
      }),
    )
  })
})

describe('API keys', () => {
  // The unit 'binary' of fast-check's strings first lists every character, which takes a second.
  const anyCharacter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point))
  const environment = fc.constantFrom('sandbox', 'live')
  const pod = fc.constantFrom(...base36Alphabet)

  it('reads what it mints, and shows only its ends', () => {
    fc.assert(
      fc.property(environment, pod, (in_, on) => {
        const { token, kid, last4 } = mintApiKey({ environment: in_, pod: on })
        expect(parseApiKey(token)).toEqual({ ok: true, environment: in_, kid })
        expect(obfuscate(token)).toBe(`${in_ === 'live' ? 'sk_live_' : 'sk_sbx_'}…${last4}`)
      }),
    )
  })

  it('notices every single character that is changed, inserted or lost', () => {
    const character = fc.oneof(fc.constantFrom(...base36Alphabet, ...'ABCXYZ_-. '), anyCharacter)
    fc.assert(
      fc.property(environment, fc.nat(74), character, (in_, at, other) => {
        const { token } = mintApiKey({ environment: in_ })
        const [before, after] = [token.slice(0, at), token.slice(at + 1)]
        for (const changed of [before + other + after, before + after, before + other + token.slice(at)]) {
          if (changed !== token) expect(parseApiKey(changed).ok).toBe(false)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('never throws, and accepts nothing invented', () => {
    const text = fc.oneof(
      fc.array(anyCharacter).map((characters) => characters.join('')),
      fc.string().map((rest) => `sk_live_${rest}`),
    )
    fc.assert(
      fc.property(text, (token) => {
        expect(parseApiKey(token).ok).toBe(false)
      }),
    )
  })
})

describe('uuidv7', () => {
  const ms = fc.integer({ min: 0, max: 2 ** 48 - 1 })

  it('sorts by time as text', () => {
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        if (a !== b) expect(uuidv7(a) < uuidv7(b)).toBe(a < b)
        expect(Number.parseInt(uuidv7(a).replaceAll('-', '').slice(0, 12), 16)).toBe(a)
      }),
    )
  })
})

describe('bank days', () => {
  const date = fc
    .date({
      min: new Date('2023-01-01T12:00:00Z'),
      max: new Date('2090-12-31T12:00:00Z'),
      noInvalidDate: true,
    })
    .map(mexicoCityDate)
  const days = fc.nat(60)

  it('addBankDays lands on a bank day, with n bank days on the way', () => {
    fc.assert(
      fc.property(date, days, (from, n) => {
        const to = addBankDays(from, n)
        let passed = 0
        for (let day = Date.parse(from) + 86_400_000; day <= Date.parse(to); day += 86_400_000) {
          if (isBankDay(new Date(day).toISOString().slice(0, 10))) passed++
        }
        expect(isBankDay(to)).toBe(true)
        expect(passed).toBe(n === 0 && !isBankDay(from) ? 1 : n)
      }),
      { numRuns: 100 },
    )
  })

  it('a later date or more days never lands earlier', () => {
    fc.assert(
      fc.property(date, date, days, (a, b, n) => {
        const [earlier, later] = [a, b].sort() as [string, string]
        expect(addBankDays(earlier, n) <= addBankDays(later, n)).toBe(true)
        expect(addBankDays(a, n) <= addBankDays(a, n + 1)).toBe(true)
      }),
    )
  })

  it('wall clock and instant are inverse', () => {
    fc.assert(
      fc.property(date, fc.nat(23), fc.nat(59), (day, hours, minutes) => {
        const time = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
        const instant = mexicoCityInstant(day, time)
        expect(mexicoCityDate(instant)).toBe(day)
        expect(instant.toLocaleTimeString('en-GB', { timeZone: 'America/Mexico_City' })).toBe(`${time}:00`)
      }),
    )
  })
})

describe('containsCardNumber', () => {
  /** Digits of a scheme that pass Luhn, by the textbook: the last digit chosen so that the sum ends in 0. */
  const ofScheme =
    /^(?:4\d{14}|4\d{17}|5[1-5]\d{13}|2[3-6]\d{13}|3[47]\d{12}|36\d{11}|35[3-8]\d{12}|62\d{15})$/
  const cardNumber = fc.stringMatching(ofScheme).map((digits) => {
    let sum = 0
    for (const [at, char] of [...digits].reverse().entries()) {
      const product = Number(char) * (at % 2 === 0 ? 2 : 1)
      sum += Math.floor(product / 10) + (product % 10)
    }
    return digits + String((10 - (sum % 10)) % 10)
  })
  const around = fc.string().map((text) => text.normalize('NFKC').replace(/[\d-]/g, '#'))

  it('finds one in any text, grouped in any way', () => {
    fc.assert(
      fc.property(
        cardNumber,
        fc.infiniteStream(fc.constantFrom('', '', '', ' ', '-')),
        around,
        around,
        (digits, gaps, a, b) => {
          const grouped = [...digits].map((digit, at) => (at === 0 ? '' : gaps.next().value) + digit).join('')
          expect(containsCardNumber(`${a}!${grouped}!${b}`)).toBe(true)
        },
      ),
    )
  })

  it('notices every changed digit', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(18), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const place = at % digits.length
        const changed = digits.slice(0, place) + ((Number(digits[place]) + by) % 10) + digits.slice(place + 1)
        expect(containsCardNumber(changed)).toBe(false)
      }),
    )
  })

  it('leaves UUIDs alone', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(containsCardNumber(`order ${id}`)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('isClabe', () => {
  const digits = fc.stringMatching(/^\d{17}$/)

  it('takes what the check digit was made for, and no other last digit', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 1, max: 9 }), (text, by) => {
        const clabe = clabeWithCheckDigit(text)
        expect(isClabe(clabe)).toBe(true)
        expect(isClabe(`${text}${(Number(clabe[17]) + by) % 10}`)).toBe(false)
      }),
    )
  })

  it('finds every single mistyped digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(16), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
        const clabe = clabeWithCheckDigit(text)
        const wrong = (Number(clabe[at]) + by) % 10
        expect(isClabe(`${clabe.slice(0, at)}${wrong}${clabe.slice(at + 1)}`)).toBe(false)
      }),
    )
  })
})
