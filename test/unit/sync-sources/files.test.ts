import { describe, expect, test } from 'vitest'
import { cardNumberGuard } from '../../../functions/people/sync-sources/csv/card-numbers.ts'
import { errorHeader, errorLine } from '../../../functions/people/sync-sources/csv/error-file.ts'
import { shapeOf } from '../../../src/platform/csv-shape.ts'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding))
const shaped = (bytes: Uint8Array, size = bytes.length) => {
  const shape = shapeOf(bytes, size)
  return typeof shape === 'string' ? shape : `${shape.delimiter} ${shape.header.join('|')} ${shape.start}`
}

test.each<[what: string, bytes: Uint8Array, shape: string]>([
  ['commas', bytesOf('id,name\n1,Ana\n'), ', id|name 8'],
  ['semicolons, a mark, CRLF', bytesOf('\ufeffid;name\r\n1;Ana'), '; id|name 12'],
  ['tabs', bytesOf('id\tname, or not\n1\tAna\n'), '\t id|name, or not 16'],
  ['one column', bytesOf('correo\nana@example.com\n'), ', correo 7'],
  ['columns of the same name', bytesOf('id,tel,tel\n1,2,3\n'), ', id|tel|tel 11'],
  ['Windows-1252', bytesOf('id,a\xf1o\n1,2\n', 'latin1'), ', id|año 7'],
  ['empty columns at the end', bytesOf('id,name,,\n1,Ana,,\n'), ', id|name 10'],
  ['nothing', bytesOf(''), 'empty'],
  ['a mark alone', bytesOf('\ufeff'), 'empty'],
  ['a header alone', bytesOf('id,name\n'), 'empty'],
  ['UTF-16', bytesOf('id,name\n', 'utf16le'), 'not_text'],
  ['a spreadsheet', bytesOf('PK\x03\x04\x14\x00', 'latin1'), 'not_text'],
  ['no header', bytesOf('1,Ana,ana@example.com\n2,Berta,\n'), 'header_missing'],
  ['no header, numbers alone', bytesOf('55 1234 5678\n55 1234 5679\n'), 'header_missing'],
  ['an empty first row', bytesOf(',,\n1,2,3\n'), 'header_missing'],
  ['an open quote', bytesOf('"id,name\n1,2\n'), 'header_missing'],
  ['many columns', bytesOf(`${'a,'.repeat(200)}b\n1\n`), 'too_many_columns'],
])('a file with %s', (_, bytes, shape) => {
  expect(shaped(bytes)).toBe(shape)
})

test('a header that does not end within the first bytes', () => {
  expect(shaped(bytesOf('id,name'), 100)).toBe('header_missing')
})

test.each([
  ['=1+1', "'=1+1"],
  ['+52 55', "'+52 55"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['a,"b"', '"a,""b"""'],
  ['a\nb', '"a\nb"'],
  ['a=1', 'a=1'],
])('the cell %j is exported as %j', async (cell, written) => {
  const fault = { code: 'parameter_invalid', param: 'customer.email', message: 'No address.' } as const
  expect(await errorLine(7, fault, [cell])).toBe(`7,email,parameter_invalid,No address.,${written}\r\n`)
})

test('a fault without a text of its own has that of its code', async () => {
  expect(errorHeader(['id', '=x'])).toBe("\ufeffrow,field,code,text,id,'=x\r\n")
  expect(await errorLine(2, { code: 'sync_row_quote_open' }, [])).toBe(
    '2,,sync_row_quote_open,A quote in this row is never closed.\r\n',
  )
})

describe('a card number in a file', () => {
  /** What is passed on, and the line at which the stream broke off. */
  async function through(parts: readonly string[]): Promise<[passed: string, line: number | null]> {
    const { stream, found } = cardNumberGuard()
    const bytes = ReadableStream.from(parts.map((part) => bytesOf(part)))
    const passed = await new Response(bytes.pipeThrough(stream)).text().catch(() => '')
    return [passed, found.line]
  }
  const around = (cell: string) => `id,nombre\n1,Ana\n2,${cell}\n3,Berta\n`
  const pan = '4242424242424242'

  test.each([
    pan,
    '4242 4242 4242 4242',
    `"nota: 4242.4242.4242.4242"`,
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '４２４２４２４２４２４２４２４２',
  ])('%s breaks the stream off, wherever its parts are cut', async (cell) => {
    const file = around(cell)
    for (let cut = 0; cut <= file.length; cut++)
      expect(await through([file.slice(0, cut), file.slice(cut)])).toEqual(['', 3])
  })

  test('at the end, and in a row without any separator', async () => {
    expect(await through([`id\n${pan}`])).toEqual(['', 2])
    expect(
      await through([`id\n${'x'.repeat(5_000)}`, `${'x'.repeat(300)} ${pan} `, 'x'.repeat(900)]),
    ).toEqual(['', 2])
  })

  test('all else is passed on as it came', async () => {
    const files = [
      around('37000,4771234567'),
      '\ufeffcp;tel\r\n37000;4771234567\r\n37000;4771234568\r\n'.repeat(20),
      around('order-1785321600004,7501055341085'),
    ]
    for (const file of files) expect(await through([file])).toEqual([file.replace('\ufeff', ''), null])
  })

  test('the error file shows no digit of one', async () => {
    const fault = { code: 'card_number_refused', message: 'No card number.' } as const
    expect(await errorLine(2, fault, ['7', `x ${pan}`])).toBe(
      `2,,card_number_refused,No card number.,7,x ${'*'.repeat(16)}\r\n`,
    )
    const cut = await errorLine(2, fault, ['4242 4242', '4242 4242', 'Ana'])
    expect(cut).toBe('2,,card_number_refused,No card number.,**** ****,**** ****,Ana\r\n')
  })
})
