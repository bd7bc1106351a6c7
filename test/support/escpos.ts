/** The upper half of code page 850, as IBM published it. */
export const codePage850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/** How many bytes follow a command behind ESC, FS or GS. An unknown one is an error: a printer would print its bytes. */
const lengths: Readonly<Record<string, number>> = {
  '\u001b@': 0,
  // The letters of no country.
  '\u001bR': 1,
  // Letters are bytes: no Chinese ones of two.
  '\u001c.': 0,
  '\u001bt': 1,
  '\u001bE': 1,
  '\u001dV': 1,
}

export interface PrintedLine {
  readonly text: string
  readonly bold: boolean
}

/** What an ESC/POS printer puts on paper, read off the bytes by themselves; and whether it cuts at the end. */
export function onPaper(bytes: Uint8Array): { lines: PrintedLine[]; codePages: number[]; isCut: boolean } {
  const lines: PrintedLine[] = []
  const codePages: number[] = []
  let [text, bold, isBold, isCut] = ['', false, false, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte >= 0x1b && byte <= 0x1d) {
      const command = String.fromCharCode(byte, bytes[at + 1]!)
      const length = lengths[command]
      if (length === undefined) throw new Error(`unknown command ${JSON.stringify(command)} at ${at}`)
      const value = bytes[at + 2]!
      if (command === '\u001bt') codePages.push(value)
      if (command === '\u001bE') isBold = value === 1
      isCut = command === '\u001dV'
      at += 1 + length
    } else if (byte === 0x0a) {
      lines.push({ text, bold })
      ;[text, bold] = ['', false]
    } else if (byte >= 0x20 && byte !== 0x7f) {
      text += byte < 0x80 ? String.fromCharCode(byte) : codePage850[byte - 0x80]
      bold ||= isBold
    } else throw new Error(`control character ${byte} at ${at}`)
  }
  return { lines, codePages, isCut }
}
