import { expect, it } from 'vitest'
import { type Locale, pickLocale, withLocale } from '../../../src/kernel/locale.ts'

it.each<[string | null | undefined, string | null | undefined, Locale]>([
  // chosen       Accept-Language                     page
  [undefined, undefined, 'es-MX'],
  [null, null, 'es-MX'],
  ['', '', 'es-MX'],
  ['en', null, 'en'],
  ['EN', null, 'en'],
  ['en-GB', null, 'en'],
  ['es', 'en', 'es-MX'],
  ['es-MX', 'en', 'es-MX'],
  [' en ', null, 'en'],
  ['english', null, 'es-MX'],
  ['fr', 'en', 'en'],
  ['<script>', 'en-US,en;q=0.9', 'en'],
  [null, 'en', 'en'],
  [null, 'en-US,en;q=0.9', 'en'],
  [null, 'es-419,es;q=0.9,en;q=0.8', 'es-MX'],
  [null, 'es;q=0.5,en;q=0.9', 'en'],
  [null, 'en;q=0.5, es;q=0.5', 'en'],
  [null, 'fr-FR,fr;q=0.9,en;q=0.8', 'en'],
  [null, 'fr,de', 'es-MX'],
  [null, '*', 'es-MX'],
  [null, 'en;q=0', 'es-MX'],
  [null, 'en;q=0.000, fr', 'es-MX'],
  [null, 'en;q=oops', 'en'],
  [null, ';;;,,,=,q=1', 'es-MX'],
  [null, `${'fr,'.repeat(1000)}en`, 'es-MX'],
])('%s and %s', (chosen, header, locale) => {
  expect(pickLocale(chosen, header)).toBe(locale)
})

it('keeps the language in an address', () => {
  expect(withLocale('/splink_x', 'en')).toBe('/splink_x?lang=en')
  expect(withLocale('/splink_x?a=1', 'es-MX')).toBe('/splink_x?a=1&lang=es')
  expect(pickLocale(new URL(withLocale('/x', 'es-MX'), 'https://x').searchParams.get('lang'), 'en')).toBe(
    'es-MX',
  )
})
