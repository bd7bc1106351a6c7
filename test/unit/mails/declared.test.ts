import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mailTo, mailToBuyer, noticeToOwners } from '../../../functions/account/mails/api-pure.ts'
import { merged } from '../../../local/declarations.ts'
import { mailLines } from '../../../local/mails.ts'
import { mails } from '../../../src/generated/mails.ts'
import { addedFields, type DeclaredMail, mail } from '../../../src/kernel/declared-mail.ts'

const now = new Date('2026-01-01T00:00:00.000Z')
const said = () => ({ subject: 'S', paragraphs: ['P'], facts: [], closing: 'C' })
const words = { 'es-MX': said, en: said }

test('a mail that no area declares, and one that lacks what it says, do not compile', () => {
  const data = { amount: '100', currency: 'mxn', at: now.toISOString() }
  const { at, ...less } = data
  const about = { id: 'm', paymentId: 'p' }
  const named = { id: 'm', recipient: 'ana@example.com', locale: 'en' } as const
  mailToBuyer({ ...about, kind: 'refund_made', data }, now)
  // @ts-expect-error: no area declares it
  mailToBuyer({ ...about, kind: 'refund_unmade', data }, now)
  // @ts-expect-error: it says when
  mailToBuyer({ ...about, kind: 'refund_made', data: less }, now)
  // @ts-expect-error: a receipt goes to the address that the payment has, not to one that is named
  mailTo({ ...named, kind: 'payment_receipt', data }, now)
  // @ts-expect-error: no area declares it
  noticeToOwners('e', 'logo_lost', { environment: 'live', at }, now)
  // @ts-expect-error: it says where
  noticeToOwners('e', 'logo_changed', { at }, now)
})

test('a mail without words in a language, or with words that name what it has not, does not compile', () => {
  mail({ to: 'owners', data: ['at'], words })
  // @ts-expect-error: every mail is written in both languages
  mail({ to: 'owners', data: ['at'], words: { en: said } })
  const of = (data: { readonly at: string }) => ({ ...said(), subject: data.at })
  mail({ to: 'owners', data: ['at'], words: { 'es-MX': of, en: of } })
  mail({
    to: 'owners',
    data: ['by'],
    // @ts-expect-error: its data has no `at`
    words: { 'es-MX': said, en: (data) => ({ ...said(), subject: data.at }) },
  })
  // @ts-expect-error: it says what it is counted by
  mail({ to: 'person', data: [], words })
})

test('a kind is declared by one area', () => {
  const area = { mails: { api_key_lost: mail({ to: 'owners', data: [], words }) } }
  const of = (areas: readonly (typeof area)[]) => merged('mail', (each) => each.mails, areas)
  expect(Object.keys(of([area]))).toEqual(['api_key_lost'])
  expect(() => of([area, area])).toThrow('Two areas declare the mail api_key_lost.')
})

test.each(
  Object.entries(mails).flatMap(([kind, declared]) =>
    (['es-MX', 'en'] as const).map((locale) => ({ kind, locale, declared: declared as DeclaredMail })),
  ),
)('$kind has words for all that it declares, in $locale', ({ locale, declared }) => {
  const seen = new Set<string>()
  const data = new Proxy({} as Record<string, string>, {
    get: (_, field: string) => {
      seen.add(field)
      return /^(rows|taxes)$/.test(field) ? '' : `the ${field}`
    },
  })
  const { subject, paragraphs, closing, button = '', ending = '' } = declared.words[locale](data)
  for (const text of [subject, ...paragraphs, closing])
    if (text !== '' || !seen.has('decision')) expect(text).toMatch(/\S/)
  const isBuyers = declared.to === 'buyer'
  expect([button !== '', ending !== '']).toEqual([
    isBuyers || 'opens' in declared,
    isBuyers && declared.isReminder === true,
  ])
  // What derives the link, and what is there for other mails of the payment, is not shown.
  const silent = ['link_id', 'secret_version', 'currency', 'method', 'brand']
  expect(declared.data.filter((field) => !seen.has(field) && !silent.includes(field))).toEqual([])
  const known: readonly string[] = [...addedFields, ...declared.data]
  expect([...seen].filter((field) => !known.includes(field))).toEqual([])
})

test('the record of mails has what the areas declare', () => {
  const rows = readFileSync('docs/decisions/mail.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| [a-z_]+ \|/.test(line))
  expect(rows).toEqual(mailLines)
})

test('what writes and sends mails names no kind: an area that sends one touches its own folder', () => {
  const kinds = new RegExp(`'(${Object.keys(mails).join('|')})'`)
  // The contract has examples.
  const files = [
    ...globSync('functions/account/mails/*.ts').filter((path) => !path.endsWith('/contract.ts')),
    ...globSync('drizzle/sql/*_mails.sql'),
    ...globSync('drizzle/schema/mails.ts'),
  ]
  expect(files.length).toBeGreaterThan(15)
  expect(files.filter((path) => kinds.test(readFileSync(path, 'utf8')))).toEqual([])
})
