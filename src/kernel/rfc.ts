/**
 * The RFC, Mexico's tax id: four letters of a person or three of a company, a date, two characters and a check digit.
 * Check digit: SAT, "Algoritmo para generar el dígito verificador": each of the first 12 characters (a company's after a
 * space) counts as its place in the table times 13, 12 … 2; 11 minus the sum modulo 11, where 11 is 0 and 10 is A.
 */
const table = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'
const form = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[A\d]$/

/** What SAT lets an invoice say where the customer has no RFC: the public in general, and foreigners. */
const genericRfcs = ['XAXX010101000', 'XEXX010101000']

export type TaxPerson = 'individual' | 'company'

/** Whose RFC a text is; null where it is not an RFC. Only capital letters, no separators. */
export function personOfRfc(text: string): TaxPerson | null {
  const [, year, month, day] = form.exec(text) ?? []
  if (!isDate(Number(year), Number(month), Number(day))) return null
  if (!genericRfcs.includes(text) && checkDigitOf(text.slice(0, -1)) !== text.at(-1)) return null
  return text.length === 13 ? 'individual' : 'company'
}

/**
 * Whether a company's name ends with the kind of company (régimen societario). SAT has names without it, and refuses a
 * CFDI with it. Letters that may belong to the name (SC, AC) are left to the sender.
 */
export const namesCompanyKind = (name: string): boolean =>
  / (S ?A( ?P ?I| ?B)? DE C ?V|S DE R ?L( MI)?( DE C ?V)?|S ?A ?S( DE C ?V)?|S ?A)$/.test(
    name
      .toUpperCase()
      .replace(/[.,\s]+/g, ' ')
      .trim(),
  )

export const isGenericRfc = (text: string): boolean => genericRfcs.includes(text)

// The century is not part of an RFC: 29 February counts in any year that either century leaps.
function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function checkDigitOf(body: string): string {
  const sum = [...body.padStart(12, ' ')].reduce(
    (total, letter, at) => total + table.indexOf(letter) * (13 - at),
    0,
  )
  const rest = 11 - (sum % 11)
  return rest === 11 ? '0' : rest === 10 ? 'A' : String(rest)
}

const regimes: Readonly<Record<string, readonly TaxPerson[]>> = {
  '601': ['company'],
  '603': ['company'],
  '605': ['individual'],
  '606': ['individual'],
  '607': ['individual'],
  '608': ['individual'],
  '610': ['individual', 'company'],
  '611': ['individual'],
  '612': ['individual'],
  '614': ['individual'],
  '615': ['individual'],
  '616': ['individual'],
  '620': ['company'],
  '621': ['individual'],
  '622': ['company'],
  '623': ['company'],
  '624': ['company'],
  '625': ['individual'],
  '626': ['individual', 'company'],
}

/** SAT's catalog c_RegimenFiscal (CFDI 4.0): whom each régimen is for. */
export const taxRegimes: ReadonlyMap<string, readonly TaxPerson[]> = new Map(Object.entries(regimes))
