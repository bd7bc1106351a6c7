import { expect, test } from 'vitest'
import { normalizePhone } from '../../../functions/people/customers/contact.ts'
import { searchOf } from '../../../functions/people/customers/search.ts'
import { emailsIn, normalizeEmail } from '../../../src/kernel/email.ts'
import { foldedWords } from '../../../src/kernel/fold.ts'

const emails: readonly [written: string, normal: string | null][] = [
  ['Ana@Example.COM', 'ana@example.com'],
  ['  ana@example.com ', 'ana@example.com'],
  ['ana+tienda@example.com', 'ana+tienda@example.com'],
  ['ana@café.mx', 'ana@xn--caf-dma.mx'],
  ['ANA@MÜNCHEN.DE', 'ana@xn--mnchen-3ya.de'],
  ['ana@xn--mnchen-3ya.de', 'ana@xn--mnchen-3ya.de'],
  ['ana@ＥＸＡＭＰＬＥ.mx', 'ana@example.mx'],
  ["o'brien@example.ie", "o'brien@example.ie"],
  ['ana@example', null],
  ['ana@@example.com', null],
  ['@example.com', null],
  ['ana@', null],
  ['ana', null],
  ['', null],
  ['.ana@example.com', null],
  ['ana.@example.com', null],
  ['a..na@example.com', null],
  ['ána@example.com', null],
  ['"ana torres"@example.com', null],
  ['ana@127.0.0.1', null],
  ['ana@[::1]', null],
  ['ana@example.com/path', null],
  ['ana@exa mple.com', null],
  ['ana@user:pass@example.com', null],
  [`${'a'.repeat(65)}@example.com`, null],
  [`ana@${'a'.repeat(64)}.com`, null],
]

test.each(emails)('the e-mail address %j is %j', (written, normal) => {
  expect(normalizeEmail(written)).toBe(normal)
  if (normal) expect(normalizeEmail(normal)).toBe(normal)
})

const phones: readonly [written: string, normal: string | null][] = [
  ['+525512345678', '+525512345678'],
  ['+52 55 1234 5678', '+525512345678'],
  ['+5215512345678', '+525512345678'],
  ['+52 1 55 1234 5678', '+525512345678'],
  ['+52-1-55-1234-5678', '+525512345678'],
  ['5215512345678', '+525512345678'],
  ['525512345678', '+525512345678'],
  ['00 52 1 55 1234 5678', '+525512345678'],
  ['55 1234 5678', '+525512345678'],
  ['(55) 1234-5678', '+525512345678'],
  ['044 55 1234 5678', '+525512345678'],
  ['045 (55) 1234 5678', '+525512345678'],
  ['01 55 1234 5678', '+525512345678'],
  ['５５１２３４５６７８', '+525512345678'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+44 020 7946 0958', '+442079460958'],
  ['+5491123456789', '+5491123456789'],
  ['+34 912 345 678', '+34912345678'],
  ['+52 55 1234', null],
  ['12', null],
  ['', null],
  ['+', null],
  ['55 1234 5678 ext 3', null],
  ['call me', null],
  ['+999 1234 5678 9', null],
  ['+52 55 1234 5678 90', null],
  ['+43 1234', null],
  ['+43 12345', '+4312345'],
  ['+49 123456789012345', null],
  ['+49 1234567890123', '+491234567890123'],
]

test.each(phones)('the phone number %j is %j', (written, normal) => {
  expect(normalizePhone(written)).toBe(normal)
  if (normal) expect(normalizePhone(normal)).toBe(normal)
})

test.each([
  ['José-María  PÉREZ', ['jose', 'maria', 'perez']],
  ['Nuñez & Söhne, S.A.', ['nunez', 'sohne', 's', 'a']],
  ['Ægir Łódź ΣΊΣΥΦΟΣ', ['ægir', 'łodz', 'σισυφος']],
  ['李小龙 3M', ['李小龙', '3m']],
  ['ana Ana ANA', ['ana']],
  ['… !', []],
])('the words of %j are %j', (text, words) => {
  expect(foldedWords(text)).toEqual(words)
})

test.each([
  ['Jos Pé', ['n:jos*', 'n:pe']],
  ['Ana@Example.com', ['e:ana@example.com*']],
  ['ANA@EX', ['e:ana@ex*']],
  ['55 1234 5678', ['p:525512345678']],
  ['+52 1 55 1234 5678', ['p:525512345678']],
  ['55 1234', ['p:551234*']],
  ['a b c d e f g', ['n:a', 'n:b', 'n:c', 'n:d', 'n:e']],
  ['!', []],
])('a search for %j looks for %j', (text, terms) => {
  expect(searchOf(text).map(({ term, whole }) => (whole ? term : `${term}*`))).toEqual(terms)
})

test.each([
  ['Escriban a ana@example.com.', ['ana@example.com']],
  ['¿Ana@Example.com? ¡ana@example.com! ana@example.com…', Array(3).fill('ana@example.com')],
  [
    `“ana@example.com” 'ana@example.com' [ana@example.com] *ana@example.com*`,
    Array(4).fill('ana@example.com'),
  ],
  ['mailto:ana@example.com/ correo=luz@example.com|x', ['ana@example.com', 'luz@example.com']],
  ['ana@CAFÉ.mx, ana@xn--caf-dma.mx', Array(2).fill('ana@xn--caf-dma.mx')],
  ['xana+1@example.com', ['xana+1@example.com']],
  [`ana@ @example.com ana@localhost ${'a'.repeat(65)}@example.com`, []],
])('the addresses that stand in %j', (text, found) => {
  expect(emailsIn(text)).toEqual(found)
})
