import { normaliseEmail } from '../../src/kernel/email.ts'
import { foldedWords } from '../../src/kernel/fold.ts'
import { normalisePhone } from './contact.ts'

/** A term that a customer must have, or the beginning of one. */
export interface Term {
  readonly term: string
  readonly whole: boolean
}

const wordsMax = 5
const phoneForm = /^\+?[\d\s().-]{4,}$/

/** What a search's text asks for: all of these terms. None where it has neither a letter nor a digit. */
export function searchOf(text: string): readonly Term[] {
  const asked = text.normalize('NFKC').trim()
  const digits = asked.replace(/\D/g, '')
  if (phoneForm.test(asked) && digits.length >= 4) {
    const number = normalisePhone(asked)
    return [{ term: `p:${number ? number.slice(1) : digits}`, whole: number !== null }]
  }
  if (asked.includes('@') && !/\s/.test(asked)) {
    const email = normaliseEmail(asked)
    return [{ term: `e:${email ?? asked.toLowerCase()}`, whole: false }]
  }
  return foldedWords(asked)
    .slice(0, wordsMax)
    .map((word) => ({ term: `n:${word}`, whole: [...word].length < 3 }))
}
