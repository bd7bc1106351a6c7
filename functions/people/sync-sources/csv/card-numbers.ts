import { containsCardNumber } from '../../../../src/kernel/card-number.ts'

const between = /[,;\t|"\r\n]/g
/** Longer than any way to write a card number. */
const keptMax = 256
const digitsIn = /\p{Nd}/gu

/**
 * Passes a file on while it is read, cell by cell: the stream breaks off at a card number, before the file is stored.
 * `line` is then where it stands.
 */
export function cardNumberGuard() {
  const decoder = new TextDecoder()
  const found: { line: number | null } = { line: null }
  let [line, rest] = [1, '']
  const look = (cell: string) => {
    if (cell.length < 14 || !containsCardNumber(cell)) return
    found.line = line
    throw new CardNumberFound()
  }
  const read = (text: string) => {
    const all = rest + text
    let from = 0
    for (const { 0: mark, index } of all.matchAll(between)) {
      look(all.slice(from, index))
      if (mark === '\n') line++
      from = index + 1
    }
    rest = all.slice(from)
    if (rest.length <= keptMax) return
    look(rest)
    rest = rest.slice(-keptMax)
  }
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      read(decoder.decode(chunk, { stream: true }))
      to.enqueue(chunk)
    },
    flush: () => look(rest + decoder.decode()),
  })
  return { stream, found }
}

class CardNumberFound extends Error {}

/** The cells of a row that was refused for a card number, without the digits of any that may be a part of it. */
export function withoutCardNumbers(cells: readonly string[]): string[] {
  const isWhole = cells.some(containsCardNumber)
  return cells.map((cell) => (isWhole && !containsCardNumber(cell) ? cell : cell.replace(digitsIn, '*')))
}
