interface Look {
  readonly bold?: boolean
  readonly align?: 'left' | 'center' | 'right'
}

// ESC @: as after switching on. ESC R 0: no letters of a country in place of # and brackets. FS .: letters are bytes, no Chinese ones of two. ESC t 2: code page 850, which printers that
// speak ESC/POS have under this number and which has all of Spanish.
const start = [0x1b, 0x40, 0x1b, 0x52, 0, 0x1c, 0x2e, 0x1b, 0x74, 2]
const bolded = [0x1b, 0x45, 1]
const unbolded = [0x1b, 0x45, 0]
const lineEnd = 0x0a
/** GS V 1: cuts, and leaves a point so that nothing falls down. The knife is some lines above the head. */
const cut = [lineEnd, lineEnd, lineEnd, lineEnd, 0x1d, 0x56, 1]

/** Writes for an ESC/POS printer from the top down, in lines of at most so many letters. */
export class EscPos {
  readonly #columns: number
  readonly #bytes: number[] = [...start]

  constructor(columns: number) {
    this.#columns = columns
  }

  line(words: string, { bold = false, align = 'left' }: Look = {}): void {
    for (const line of wrapped(printable(words), this.#columns)) {
      const left = this.#columns - line.length
      const space = align === 'right' ? left : align === 'center' ? Math.floor(left / 2) : 0
      this.#write(' '.repeat(space) + line, bold)
    }
  }

  /** Room to sign, a line below it, and what the line is for. */
  signature(words: string): void {
    for (let blank = 0; blank < 3; blank++) this.#write('', false)
    this.#write('_'.repeat(this.#columns), false)
    this.line(words, { align: 'center' })
  }

  /** A term on the left, its value on the right: below it where a line does not hold both. */
  row(term: string, value: string, bold: boolean): void {
    const [said, shown] = [printable(term), printable(value)]
    const between = this.#columns - said.length - shown.length
    if (between > 0) this.#write(said + ' '.repeat(between) + shown, bold)
    else {
      this.line(said)
      this.line(shown, { bold, align: 'right' })
    }
  }

  rule(): void {
    this.#write('-'.repeat(this.#columns), false)
  }

  /** All of it, cut off at the end. */
  done(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from([...this.#bytes, ...cut])
  }

  #write(line: string, bold: boolean): void {
    const letters = Array.from(line, (letter) => bytes.get(letter)!)
    this.#bytes.push(...(bold ? [...bolded, ...letters, ...unbolded] : letters), lineEnd)
  }
}

/** The letters of code page 850, each run from its first byte on; what draws boxes is left out. */
const runs: readonly (readonly [first: number, letters: string])[] = [
  [0x20, Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)).join('')],
  [0x80, 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»'],
  [0xb5, 'ÁÂÀ©'],
  [0xbd, '¢¥'],
  [0xc6, 'ãÃ'],
  [0xcf, '¤ðÐÊËÈıÍÎÏ'],
  [0xdd, '¦Ì'],
  [0xe0, 'ÓßÔÒõÕµþÞÚÛÙýÝ¯´'],
  [0xf1, '±'],
  [0xf3, '¾¶§÷¸°¨·¹³²'],
]

const bytes: ReadonlyMap<string, number> = new Map(
  runs.flatMap(([first, letters]) => Array.from(letters, (letter, at) => [letter, first + at] as const)),
)

const plain: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
}

/**
 * In letters that the printer has, a column each: an emoji, as any letter that the code page lacks, is one question mark, and
 * what a merchant or a buyer wrote is no command of the printer.
 */
const printable = (words: string): string =>
  Array.from(new Intl.Segmenter().segment(words.normalize('NFC').replace(/\s+/gu, ' ')), ({ segment }) => {
    const letter = plain[segment] ?? segment
    return bytes.has(letter) ? letter : '?'
  }).join('')

/** In lines that fit, broken between words; a word that is longer than a line is broken where that ends. */
function wrapped(words: string, columns: number): string[] {
  const lines = ['']
  for (const word of words.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(...(word.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []))
  }
  return lines.filter((line, at) => line !== '' || at > 0)
}
