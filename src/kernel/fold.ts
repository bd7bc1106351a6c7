const marks = /\p{M}+/gu
const word = /[\p{L}\p{N}]+/gu
const wordsMax = 20
const askedMax = 5
const lengthMax = 60

/** The different words of a text as a search compares them: small letters without accents. `José-María` → jose, maria. */
export function foldedWords(text: string): string[] {
  const folded = text.normalize('NFKD').replace(marks, '').toLowerCase().normalize('NFKC')
  const words = [...folded.matchAll(word)].map(([found]) => [...found].slice(0, lengthMax).join(''))
  return [...new Set(words)].slice(0, wordsMax)
}

/** A term that a row must have to be found, or the beginning of one. */
export interface Term {
  readonly term: string
  readonly whole: boolean
}

/** What a search by words of a name asks for: one or two letters are a whole word, more the beginning of one. */
export const wordTerms = (text: string): Term[] =>
  foldedWords(text)
    .slice(0, askedMax)
    .map((word) => ({ term: nameTerm(word), whole: [...word].length < 3 }))

const nameTerm = (word: string) => `n:${word}`

/** The terms by which a name is found. */
export const nameTerms = (name: string): string[] => foldedWords(name).map(nameTerm)
