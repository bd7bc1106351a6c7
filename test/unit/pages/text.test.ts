import { expect, it } from 'vitest'
import type { ClosedState } from '../../../functions/page/hosted-payment/api.ts'
import { text } from '../../../functions/page/hosted-payment/pages/text.ts'
import { states, words } from '../../../functions/selling/payment-links/words.ts'
import type { Locale } from '../../../src/kernel/locale.ts'

type Leaf = { path: string; kind: string; words: string }

/** Every string of a catalog; functions are called with markers, so that a dropped argument shows. */
function leaves(node: unknown, path = ''): Leaf[] {
  if (typeof node === 'string') return [{ path, kind: 'string', words: node }]
  if (typeof node === 'function') {
    const marks = ['⟨1⟩', '⟨2⟩', '⟨3⟩'].slice(0, node.length)
    return [{ path, kind: `${node.length} arguments`, words: String(node(...marks)) }]
  }
  return Object.entries(node as object).flatMap(([key, value]) => leaves(value, `${path}.${key}`))
}

/** The common words, and those of links. */
const wordsIn = (locale: Locale) =>
  leaves({
    ...text[locale],
    link: words[locale],
    states: Object.values<ClosedState>(states).map((state) => state.words[locale]),
  })

const spanish = wordsIn('es-MX')
const english = wordsIn('en')

it('has the same keys in both languages', () => {
  expect(english.map(({ path }) => path)).toEqual(spanish.map(({ path }) => path))
  expect(spanish.length).toBeGreaterThan(80)
})

it.each([
  ['es-MX', spanish],
  ['en', english],
] as const)('%s is complete', (_locale, catalog) => {
  expect(catalog.filter(({ words }) => words.trim() === '' || /undefined|NaN/.test(words))).toEqual([])
})

it('uses its arguments in both languages alike', () => {
  const marks = ({ words }: Leaf) => [...words.matchAll(/⟨\d⟩/g)].map(([mark]) => mark).sort()
  for (const [at, leaf] of spanish.entries()) {
    expect(marks(english[at]!), leaf.path).toEqual(marks(leaf))
    if (/^[1-9]/.test(leaf.kind)) expect(marks(leaf), leaf.path).not.toEqual([])
  }
})

it('repeats nothing between the languages by mistake: few words are equal in both', () => {
  const same = spanish.filter((leaf, at) => leaf.words === english[at]?.words).map(({ path }) => path)
  expect(same).toEqual([
    '.common.total',
    '.pay.methodNames.oxxo',
    '.pay.methodNames.spei',
    '.pay.securityCode',
    '.review.total',
  ])
})
