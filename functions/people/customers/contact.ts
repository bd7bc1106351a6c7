import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Mexican mobile numbers were dialled +52 1 from abroad, and 01, 044 or 045 from within, until 2019. */
const formerMexican = /^(?:(?:\+|00)?\s*52\s*-?\s*1|0(?:1|44|45))[\s-]*(?=(?:[\s().-]*\d){10}[\s().-]*$)/

/** E.164, as `customer_contacts_value_form` has it: some countries' possible numbers are shorter or longer. */
const e164 = /^\+[1-9]\d{6,14}$/

/** A phone number as E.164 has it, in Mexico where it names no country. Null for what is no possible number. */
export function normalizePhone(text: string): string | null {
  const written = text.normalize('NFKC').trim()
  if (!/^\+?[\d\s().-]+$/.test(written)) return null
  const found = parsePhoneNumberFromString(written.replace(formerMexican, '+52 '), 'MX')
  return found?.isPossible() && e164.test(found.number) ? found.number : null
}
