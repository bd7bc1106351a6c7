const marks = /\p{M}+/gu
const word = /[\p{L}\p{N}]+/gu
const wordsMax = 20
const lengthMax = 60

/** The different words of a text as a search compares them: small letters without accents. `José-María` → jose, maria. */
export function foldedWords(text: string): string[] {
  const folded = text.normalize('NFKD').replace(marks, '').toLowerCase().normalize('NFKC')
  const words = [...folded.matchAll(word)].map(([found]) => [...found].slice(0, lengthMax).join(''))
  return [...new Set(words)].slice(0, wordsMax)
}
