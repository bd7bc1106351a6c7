import { describe, expect, it } from 'vitest'
import { containsCardNumber, urlContainsCardNumber } from '../../../src/kernel/card-number.ts'
import { clabeWithCheckDigit } from '../../../src/kernel/clabe.ts'

describe('containsCardNumber', () => {
  it.each([
    ['Visa', '4242424242424242', true],
    ['Mastercard', '5555555555554444', true],
    ['Amex, 15 digits', '378282246310005', true],
    ['Diners, 14 digits', '30569309025904', true],
    ['Diners, 36', '36148900647913', true],
    ['Mastercard, 2221', '2221000000000009', true],
    ['Mastercard, 2720', '2720999999999996', true],
    ['JCB', '3566002020360505', true],
    ['Discover', '6011111111111117', true],
    ['Discover, 644', '6441111111111117', true],
    ['UnionPay', '6200000000000005', true],
    ['UnionPay, 19 digits', '6205500000000000004', true],
    ['Visa, 19 digits', '4000000000000000006', true],
    ['Carnet', '5062541600005232', true],
    ['Maestro, 19 digits', '6304000000000000018', true],
    ['Elo', '6362970000457013', true],
    ['13 digits, which Visa no longer issues', '4222222222222', false],
    ['a beginning of no scheme', '1234567812345670', false],
    ['Visa with 15 digits', '424242424242426', false],
    ['Mastercard with 19 digits', '5555555555554444007', false],
    ['spaces', '4242 4242 4242 4242', true],
    ['hyphens', '4242-4242-4242-4242', true],
    ['mixed separators', '4242 4242-4242 4242', true],
    ['Amex grouping', '3782 822463 10005', true],
    ['other grouping', '42424242 42424242', true],
    ['digit by digit', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', true],
    ['in a sentence', 'pagado con 4242424242424242, gracias', true],
    ['between letters', 'visa4242424242424242x', true],
    ['after an equals sign', 'pan=4242424242424242;exp=1229', true],
    ['before a date', '4242 4242 4242 4242 12/29', true],
    ['before a security code', '4242424242424242 123', true],
    ['after another number', '17 4242 4242 4242 4242', true],
    ['no-break spaces', '4242\u00a04242\u00a04242\u00a04242', true],
    ['en dashes', '4242–4242–4242–4242', true],
    ['zero-width spaces', '4242\u200b4242\u200b4242\u200b4242', true],
    ['soft hyphens', '4242\u00ad4242\u00ad4242\u00ad4242', true],
    ['spaces with a mark of direction', '4242 \u200e4242 \u200e4242 \u200e4242', true],
    ['a byte order mark between digits', '42424242\ufeff42424242', true],
    ['full-width digits', '４２４２４２４２４２４２４２４２', true],
    ['on the second line', 'a\n4242424242424242', true],
    ['nothing', '', false],
    ['no digits', 'Storefront', false],
    ['one digit wrong', '4242424242424241', false],
    ['12 digits', '424242424242', false],
    ['20 digits', '42424242424242424242', false],
    ['two spaces between groups', '4242  4242  4242  4242', true],
    ['a hyphen between spaces', '4242 - 4242 - 4242 - 4242', true],
    ['a decimal number', '4242.424242424242', false],
    ['line ends', '4242\n4242\r\n4242\n4242', true],
    ['underscores', '4242_4242_4242_4242', true],
    ['four spaces', '4242    4242    4242    4242', true],
    ['tabs', '4242\t\t4242\t\t4242\t\t4242', true],
    ['ideographic spaces', '4242\u30004242\u30004242\u30004242', true],
    ['dots', '4242.4242.4242.4242', true],
    ['slashes', '4242/4242/4242/4242', true],
    ['backslashes', '4242\\4242\\4242\\4242', true],
    ['commas', '4242,4242,4242,4242', true],
    ['commas and blanks', '4242, 4242, 4242, 4242', true],
    ['middle dots', '4242·4242·4242·4242', true],
    ['bars', '4242 | 4242 | 4242 | 4242', true],
    ['the letter x', '4242x4242x4242x4242', true],
    ['a multiplication sign', '4242×4242×4242×4242', true],
    ['plus signs', '4242+4242+4242+4242', true],
    ['stars', '4242*4242*4242*4242', true],
    ['colons', '4242:4242:4242:4242', true],
    ['Amex with dots', '3782.822463.10005', true],
    ['in threes', '424 242 424 242 424 2', true],
    ['single digits before a date', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 12/29', true],
    ['pairs', '42 42 42 42 42 42 42 42', true],
    ['pairs before a date', '42 42 42 42 42 42 42 42 12/29', true],
    ['pairs with dots', '42.42.42.42.42.42.42.42', true],
    ['single digits with dashes before a code', '4-2-4-2-4-2-4-2-4-2-4-2-4-2-4-2 737', true],
    ['slashes before a date', '4242/4242/4242/4242 12/29', true],
    ['Arabic-Indic digits', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', true],
    ['extended Arabic-Indic digits', '۴۲۴۲ ۴۲۴۲ ۴۲۴۲ ۴۲۴۲', true],
    ['Devanagari digits', '४२४२४२४२४२४२४२४२', true],
    ['digits of three scripts', '4242४२४२٤٢٤٢４２４２', true],
    ['mathematical digits', '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐', true],
    ['word joiners and variation selectors', '4242\u20604242\ufe0f4242\u200d4242', true],
    ['an IP address', '255.255.255.255', false],
    ['masked', '**** **** **** 4242', false],
    ['brand and last four', 'visa •••• 4242', false],
    ['a CLABE', '032180000118359719', false],
    ['two phone numbers', '55 1234 5678, 55 8765 4321', false],
    ['an amount', '120000', false],
    ['an instant', '2026-06-13T12:34:56.789Z', false],
    ['a UUID that would pass', '42424242-4242-4242-8242-424242424242', false],
    ['milliseconds', 'order-1717171717176', false],
    ['an EAN-13', '7501055341085', false],
    ['an EAN-13 that begins as Visa', '4006381333931', false],
    ['an IMEI', '490154203237518', false],
    ['a SIM card', '8952140061234567890', false],
    ['an id of a shop', '5678901234563', false],
    ['a tracking key', '085901030410316408', false],
    ['a CLABE of STP', '646180157000000004', false],
    ['a telephone number', '+52 1 442 123 4567', false],
    ['two telephone numbers', '442 123 4567, 442 765 4327', false],
    ['two lines of telephone numbers', '442 123 4567\n442 765 4328', false],
    ['sizes of shoes', '22 23 24 25 26 27 28 29, 36 37 38 39 40 41 42', false],
    ['digits inside a longer number', '99424242424242424242', false],
    ['coordinates', '19.432607712345678, -99.133208012345678', false],
    ['small numbers in a row', '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20', false],
  ])('%s: "%s" %s', (_, text, is) => {
    expect(containsCardNumber(text)).toBe(is)
  })

  /** The textbook's check digit, and the table's ranges of first digits, a second time. */
  const isOfScheme = (digits: string) =>
    /^(4\d{15}(\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|[56]\d{15,18})$/.test(
      digits,
    ) &&
    [...digits]
      .reverse()
      .reduce(
        (sum, digit, at) =>
          sum + [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][at % 2 ? Number(digit) : 0]! + (at % 2 ? 0 : Number(digit)),
        0,
      ) %
      10 ===
      0

  const many = 100_000
  const eanOf = (stem: string) => {
    const sum = [...stem].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
    return `${stem}${(10 - (sum % 10)) % 10}`
  }
  /** Digits that look drawn at random, the same in every run. */
  const drawn = (at: number, length: number) =>
    String(
      (BigInt(at) * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 10n ** BigInt(length),
    ).padStart(length, '0')
  it.each<[what: string, idOf: (at: number) => string]>([
    ['milliseconds', (at) => `order-${1_700_000_000_000 + at * 7_919_333}`],
    ['EAN-13', (at) => eanOf(drawn(at, 12))],
    ['13 digits, as shops number orders', (at) => drawn(at, 13)],
    [
      'CLABEs of ordinary banks',
      (at) => clabeWithCheckDigit(`${['002', '012', '014', '072', '646', '722'][at % 6]}${drawn(at, 14)}`),
    ],
    ['telephone numbers', (at) => `+52 ${drawn(at, 10).replace(/(...)(...)(....)/, '$1 $2 $3')}`],
    ['two telephone numbers', (at) => `${drawn(at, 10)}, ${drawn(at + 7, 10)}`],
    ['amounts', (at) => `${drawn(at, 12)}.${drawn(at, 2)}`],
    ['instants', (at) => new Date(1_700_000_000_000 + at * 7_919_333).toISOString()],
  ])('%s are never taken for card numbers', (_, idOf) => {
    expect(Array.from({ length: many }, (_, at) => idOf(at)).filter(containsCardNumber)).toEqual([])
  })

  it('takes 16 digits for a card number only by the beginning of a scheme and Luhn', () => {
    const taken = Array.from({ length: many }, (_, at) => drawn(at, 16)).filter(containsCardNumber)
    expect(taken.length).toBeGreaterThan(1_000)
    expect(taken.length).toBeLessThan(many / 40)
    expect(taken.filter((digits) => !isOfScheme(digits))).toEqual([])
  })

  it('reads the digits of every script', () => {
    const points = Array.from({ length: 0x20000 }, (_, point) => point)
    const digits = points.map((point) => String.fromCodePoint(point)).filter((each) => /\p{Nd}/u.test(each))
    const fours = digits.filter((four, at) => containsCardNumber((four + digits[at - 2]).repeat(8)))
    expect(fours.length).toBe(digits.length / 10)
  })

  it('stays linear on long text', () => {
    const started = performance.now()
    containsCardNumber('1 '.repeat(50_000))
    containsCardNumber('123 '.repeat(25_000))
    containsCardNumber('1'.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

it.each([
  ['https://shop.mx/hook/4242424242424242', true],
  ['https://shop.mx/hook?card=4242-4242-4242-4242', true],
  ['https://shop.mx/hook?card=4242+4242+4242+4242', true],
  ['https://shop.mx/hook?card=4242%204242%204242%204242', true],
  ['https://shop.mx/hook?card=%34%32%34%32424242424242', true],
  ['https://shop.mx/%EF%BC%94%EF%BC%92%EF%BC%94%EF%BC%92424242424242', true],
  ['https://4242424242424242.shop.mx/', true],
  ['https://shop.mx/hook/4242424242424241', false],
  ['https://shop.mx/hook/0190a6d2-7c3e-7b1a-9f00-000000000003?v=20260613%zz', false],
])('of a URL %s: %s', (url, expected) => {
  expect(urlContainsCardNumber(url)).toBe(expected)
})
