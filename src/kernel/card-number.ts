const uuid =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
const digitRun = /\d+(?:[\s_\-\u2010-\u2015\u2212]{1,3}\d+)*/g

/**
 * True when the text holds what may be a card number: 13 to 19 digits that pass Luhn, written together or in groups
 * with at most three spaces, hyphens or underscores between them, with any text around. Full-width digits, line ends,
 * typographic spaces and dashes count too; invisible characters do not separate. A dot does: decimal numbers would be
 * refused. One in ten numbers of 13-19 digits that are no card numbers is refused; UUIDs never are.
 */
export function containsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC').replace(invisible, '').replace(uuid, '#')
  for (const [run] of plain.matchAll(digitRun)) if (holdsCardNumber(run.split(/\D+/))) return true
  return false
}

const escapes = /(?:%[0-9a-f]{2})+/gi
const bytesOf = (run: string) => Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))

/** The same for a URL, as it is written and as its receiver reads it. */
export function urlContainsCardNumber(text: string): boolean {
  const read = text.replace(escapes, (run) => new TextDecoder().decode(bytesOf(run)))
  return [text, read, read.replaceAll('+', ' ')].some(containsCardNumber)
}

/** The whole run, or neighbouring groups inside it: a card number is often followed by a date or a security code. */
function holdsCardNumber(groups: readonly string[]): boolean {
  if (mayBeCardNumber(groups.join(''))) return true
  for (let start = 0; start < groups.length; start++) {
    let digits = ''
    for (let at = start; at < groups.length; at++) {
      const group = groups[at]!
      digits += group
      if (digits.length > 19) break
      if (mayBeCardNumber(digits)) return true
      // Short groups only end a number: otherwise a list of small numbers would often match by chance.
      if (group.length < 3) break
    }
  }
  return false
}

function mayBeCardNumber(digits: string): boolean {
  return digits.length >= 13 && digits.length <= 19 && passesLuhn(digits)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
