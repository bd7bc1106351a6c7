/*
 * What a card number is: digits that begin with a scheme's published range, are as many as that scheme issues, and
 * pass Luhn. Milliseconds, EAN-13, IMEI, CLABE and 13-digit ids of shops have no such beginning or no such length.
 */

type Scheme = readonly [from: number, to: number, ...lengths: number[]]

/** Ranges of first digits and the lengths issued under them. Visa's 13 digits were withdrawn, and are EAN-13's. */
const schemes: readonly Scheme[] = [
  [4, 4, 16, 19], // Visa
  [51, 55, 16], // Mastercard
  [2221, 2720, 16],
  [34, 34, 15], // American Express
  [37, 37, 15],
  [30, 30, 14], // Diners Club
  [36, 36, 14],
  [38, 39, 14],
  [3528, 3589, 16], // JCB
  [6011, 6011, 16, 19], // Discover
  [644, 649, 16, 19],
  [65, 65, 16, 19],
  [62, 62, 16, 17, 18, 19], // UnionPay
  [5018, 5018, 16, 18, 19], // Maestro
  [5020, 5020, 16, 18, 19],
  [5038, 5038, 16, 18, 19],
  [5893, 5893, 16, 18, 19],
  [6304, 6304, 16, 18, 19],
  [6759, 6759, 16, 18, 19],
  [6761, 6763, 16, 18, 19],
  [286900, 286900, 16], // Carnet
  [502275, 502275, 16],
  [506199, 506499, 16],
  [606333, 606333, 16],
  [627535, 627535, 16],
  [636318, 636318, 16],
  [636379, 636379, 16],
  [639388, 639388, 16],
  [639484, 639484, 16],
  [639559, 639559, 16],
  [506099, 506198, 16, 18, 19], // Verve
  [507865, 507964, 16, 18, 19],
  [504175, 504175, 16], // Elo
  [506699, 506778, 16],
  [509000, 509999, 16],
  [627780, 627780, 16],
  [636297, 636297, 16],
  [636368, 636368, 16],
  [606282, 606282, 16], // Hipercard
  [637095, 637095, 16],
  [589562, 589562, 16], // Naranja
  [603522, 603522, 16], // Cabal
  [604201, 604219, 16],
]

const uuid =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
const otherDigit = /(?![0-9])\p{Nd}/gu
const gap = String.raw`[\s_\-\u2010-\u2015\u2212.,/\\|:;*+~\u00b7\u2022\u2027\u2219\u22c5\u00d7xX]{1,12}`
const digitRun = new RegExp(String.raw`\d+(?:${gap}\d+)*`, 'g')
const blanks = /[\s_\-\u2010-\u2015\u2212]+/g

/**
 * True when the text holds a card number: written together, or in groups with blanks, dashes or one other mark between
 * them, with any text around. Digits of any script count, and invisible characters do not separate. Digits inside a
 * longer number are none, nor is a number with one decimal point; UUIDs never are.
 */
export function containsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC').replace(invisible, '').replace(otherDigit, digitOf).replace(uuid, '#')
  for (const [run] of plain.matchAll(digitRun)) {
    const groups = run.split(/\D+/)
    const marks = run.split(/\d+/).slice(1, -1).map(markOf)
    if (holdsCardNumber(groups, marks)) return true
  }
  return false
}

/** The digits of a script follow each other from its zero, and a script may follow another. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0)!
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}

const escapes = /(?:%[0-9a-f]{2})+/gi
const bytesOf = (run: string) => Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))

/** The same for a URL, as it is written and as its receiver reads it. */
export function urlContainsCardNumber(text: string): boolean {
  const read = text.replace(escapes, (run) => new TextDecoder().decode(bytesOf(run)))
  return [text, read, read.replaceAll('+', ' ')].some(containsCardNumber)
}

/** What stands between two groups: '' for blanks and dashes, one other mark, or null for a mixture of marks. */
function markOf(between: string): string | null {
  if (between === ' ') return ''
  const marks = new Set(between.replace(blanks, ''))
  return marks.size > 1 ? null : (marks.values().next().value ?? '')
}

/** The whole run, or neighboring groups inside it: a card number is often followed by a date or a security code. */
function holdsCardNumber(groups: readonly string[], marks: readonly (string | null)[]): boolean {
  if (isCardNumber(groups.join('')) && marks.every((mark) => mark === '') && !areList(groups)) return true
  return groups.some((_, start) => {
    const size = groups[start]!.length
    let digits = ''
    for (let end = start; end < groups.length; end++) {
      const mark = marks[end - 1]
      if (end > start && (mark === null || mark !== marks[start])) return false
      const group = groups[end]!
      digits += group
      if (digits.length > 19) return false
      if (isCardNumber(digits) && !isDecimal(end - start, mark) && !areList(groups.slice(start, end + 1)))
        return true
      // Another, shorter group ends a number: lists of small numbers and telephone numbers would match by chance.
      const next = groups[end + 1]?.length ?? 0
      if (size < 4 ? group.length < size || next > size : group.length < 4) return false
    }
    return false
  })
}

const isDecimal = (gaps: number, mark: string | null | undefined): boolean =>
  gaps === 1 && (mark === '.' || mark === ',')

/** Short groups that only rise are a list, such as of sizes. */
const areList = (groups: readonly string[]): boolean =>
  groups.length > 1 &&
  groups.every((group, at) => group.length < 4 && (at === 0 || Number(group) > Number(groups[at - 1])))

const isCardNumber = (digits: string): boolean =>
  digits.length >= 14 && digits.length <= 19 && passesLuhn(digits) && isOfScheme(digits)

const isOfScheme = (digits: string): boolean =>
  schemes.some(([from, to, ...lengths]) => {
    const first = Number(digits.slice(0, String(from).length))
    return first >= from && first <= to && lengths.includes(digits.length)
  })

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
