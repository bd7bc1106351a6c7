import { base36Alphabet } from './ids.ts'
import { inPod, ownPod } from './pods.ts'

/**
 * A receipt's number for people: the eight characters (41 bits) behind the pod of the public id of its payment, or of the
 * receipt of an order that cost nothing, written in Crockford's letters, which have no I, L, O and U. `spcs_ae5f6g7h8…` →
 * `ABC-DEF-GHJ`. It is read back into the beginning of the public id, so nothing is stored; two receipts may share one.
 */

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const [partsLength, folioLength] = [8, 9]

/** @throws RangeError where it is no public id */
export function folioOf(publicId: string): string {
  const start = /^[a-z]+_[0-9a-z]([0-9a-z]{8})/.exec(publicId)?.[1]
  if (start === undefined) throw new RangeError('no public id')
  let rest = [...start].reduce((sum, each) => sum * 36 + base36Alphabet.indexOf(each), 0)
  let folio = ''
  for (let at = 0; at < folioLength; at++) {
    folio = letters[rest % 32] + folio
    rest = Math.floor(rest / 32)
  }
  return folio.replace(/(...)(?=.)/g, '$1-')
}

/**
 * The eight characters behind the pod of a public id of this folio; null where it is not a folio. Forgives
 * how it is typed.
 */
export function beginningOf(folio: string): string | null {
  const typed = folio.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')
  if (typed.length !== folioLength || [...typed].some((each) => !letters.includes(each))) return null
  let rest = [...typed].reduce((sum, each) => sum * 32 + letters.indexOf(each), 0)
  if (rest >= 36 ** partsLength) return null
  let start = ''
  for (let at = 0; at < partsLength; at++) {
    start = base36Alphabet[rest % 36] + start
    rest = Math.floor(rest / 36)
  }
  return start
}

/** The first and the last public id of this folio in our pod; empty where it is not a folio. */
export function publicIdsOf(folio: string): readonly string[] {
  const begins = beginningOf(folio)
  return begins === null
    ? []
    : ['0', 'z'].map((rest) => `spcs_${inPod(`0${begins}${rest.repeat(23)}`, ownPod)}`)
}
