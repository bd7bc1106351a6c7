import { describe, expect, it } from 'vitest'
import { containsCardNumber, urlContainsCardNumber } from '../../../src/kernel/card-number.ts'

describe('containsCardNumber', () => {
  it.each([
    ['Visa', '4242424242424242', true],
    ['Mastercard', '5555555555554444', true],
    ['Amex, 15 digits', '378282246310005', true],
    ['Diners, 14 digits', '30569309025904', true],
    ['13 digits', '4222222222222', true],
    ['19 digits', '6304000000000000018', true],
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
    ['four spaces', '4242    4242    4242    4242', false],
    ['an IP address', '255.255.255.255', false],
    ['masked', '**** **** **** 4242', false],
    ['brand and last four', 'visa •••• 4242', false],
    ['a CLABE', '032180000118359719', false],
    ['two phone numbers', '55 1234 5678, 55 8765 4321', false],
    ['an amount', '120000', false],
    ['an instant', '2026-06-13T12:34:56.789Z', false],
    ['a UUID that would pass', '42424242-4242-4242-8242-424242424242', false],
    ['small numbers in a row', '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20', false],
  ])('%s: "%s" %s', (_, text, is) => {
    expect(containsCardNumber(text)).toBe(is)
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
