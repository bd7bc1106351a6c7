import { expect, test } from 'vitest'
import { rowsIn } from '../../../src/platform/csv.ts'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding))
const all = (bytes: Uint8Array, delimiter = ',') => rowsIn(bytes, { delimiter, isEnd: true, rowsMax: 1_000 })
const cells = (bytes: Uint8Array, delimiter?: string) => all(bytes, delimiter).map((row) => row.cells)

test.each<[what: string, bytes: Uint8Array, cells: (string[] | null)[], delimiter?: string]>([
  ['commas', bytesOf('a,b\n1,2\n'), [['a', 'b'], ['1', '2']]], // biome-ignore format: a table
  ['a byte order mark', bytesOf('\ufeffa,b\n'), [['a', 'b']]],
  ['semicolons', bytesOf('a;b,c\n'), [['a', 'b,c']], ';'],
  ['tabs', bytesOf('a\tb\n'), [['a', 'b']], '\t'],
  ['Windows-1252', bytesOf('Pe\xf1a,\x80\x93x\x94\n', 'latin1'), [['Peña', '€“x”']]],
  [
    'both encodings in one file',
    Buffer.concat([bytesOf('Peña,'), bytesOf('Pe\xf1a', 'latin1')]),
    [['Peña', 'Peña']],
  ],
  ['a line break in quotes', bytesOf('"a\r\nb",c\n'), [['a\r\nb', 'c']]],
  ['a quote in quotes', bytesOf('"a ""b"" c",d\n'), [['a "b" c', 'd']]],
  [
    'a quote without quotes',
    bytesOf('5" pipe,d\n"x" y,z\n'),
    [
      ['5" pipe', 'd'],
      ['"x" y', 'z'],
    ],
  ],
  ['all line breaks', bytesOf('a\r\nb\nc\rd'), [['a'], ['b'], ['c'], ['d']]],
  [
    'no break behind the last line',
    bytesOf('a,b\n1,2'),
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['empty lines', bytesOf('a\n\n\nb\n'), [['a'], [''], [''], ['b']]],
  ['too many and too few cells', bytesOf('a,b\n1\n1,2,3\n'), [['a', 'b'], ['1'], ['1', '2', '3']]],
  ['a formula', bytesOf('=1+1,@x\n'), [['=1+1', '@x']]],
  ['NUL bytes', bytesOf('a\0b,c\n'), [['a\0b', 'c']]],
  ['a quote that is never closed', bytesOf('a\n"b\nc\n'), [['a'], null]],
  ['nothing', bytesOf(''), []],
])('%s', (_, bytes, expected, delimiter) => {
  expect(cells(bytes, delimiter)).toEqual(expected)
})

test('a slice has as many rows as it may, and the next one begins behind them', () => {
  const bytes = bytesOf('a\nb\nc\n')
  const rows = rowsIn(bytes, { delimiter: ',', isEnd: true, rowsMax: 2 })
  expect(rows.map(({ cells, end }) => [cells, end])).toEqual([[['a'], 2], [['b'], 4]]) // biome-ignore format: a table
})
