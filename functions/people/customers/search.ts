import { normalizeEmail } from '../../../src/kernel/email.ts'
import { type Term, wordTerms } from '../../../src/kernel/fold.ts'
import { normalizePhone } from './contact.ts'

const phoneForm = /^\+?[\d\s().-]{4,}$/

/** What a search's text asks for: all of these terms. None where it has neither a letter nor a digit. */
export function searchOf(text: string): readonly Term[] {
  const asked = text.normalize('NFKC').trim()
  const digits = asked.replace(/\D/g, '')
  if (phoneForm.test(asked) && digits.length >= 4) {
    const number = normalizePhone(asked)
    return [{ term: `p:${number ? number.slice(1) : digits}`, whole: number !== null }]
  }
  if (asked.includes('@') && !/\s/.test(asked)) {
    const email = normalizeEmail(asked)
    return [{ term: `e:${email ?? asked.toLowerCase()}`, whole: false }]
  }
  return wordTerms(asked)
}
