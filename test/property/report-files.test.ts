import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FoundRow, RunRow } from '../../functions/insight/reporting/store.ts'
import { reportTypes } from '../../functions/insight/reporting/types/index.ts'
import { partOf } from '../../functions/insight/reporting/write.ts'

/** RFC 4180, by hand: the rows of a file. No code of the product reads it. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let [row, cell, isQuoted] = [[] as string[], '', false]
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === ',') {
      row.push(cell)
      cell = ''
    } else if (char === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      at++
    } else cell += char
  }
  return rows
}

/** What a spreadsheet would compute, or show as two cells or two rows, and what people are called. */
const corpus = [
  '=1+1',
  '=HYPERLINK("http://x.example","a")',
  '+52 55 1234 5678',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  'a,b',
  'a;b',
  'say "hi"',
  '""',
  'two\r\nlines',
  'two\nlines',
  ' Ñandú Muñoz ',
  'Café 👩‍🍳 e\u0301',
  '‮abc',
  "'quoted",
  '',
]
const text = fc.oneof(fc.constantFrom(...corpus), fc.string({ unit: 'grapheme', maxLength: 12 }))

/** Without what a run has to name. */
const columns = reportTypes.customers.columns.filter(({ isPersonal }) => !isPersonal)
const run = {
  type: 'customers',
  typeVersion: reportTypes.customers.version,
  amounts: 'decimal',
  format: 'csv',
  partsCount: 0,
} as unknown as RunRow

/** A cell as the database answers it, and what it means to whoever reads the file. */
const cellOf = (kind: string): fc.Arbitrary<[found: string | null, read: string]> =>
  kind === 'minor'
    ? fc.bigInt(-(10n ** 17n), 10n ** 17n).map((minor) => {
        const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
        return [String(minor), `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`]
      })
    : kind === 'time'
      ? fc.constant(['2026-03-01 06:00:00.123+00', '2026-03-01T06:00:00.123Z'])
      : kind === 'count'
        ? fc.nat().map((count) => [String(count), String(count)])
        : fc.option(text).map((value) => [value, value ?? ''])

const row = fc.tuple(...columns.map(({ kind }) => cellOf(kind)))
const isComputed = /^[=+\-@\t\r]/

test('another program reads from a CSV what was written, and no text that a spreadsheet would compute', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const found: FoundRow[] = rows.map((cells) => ({
        createdAt: new Date(0),
        id: '0190a6d2-7c3e-7b1a-9f00-000000000001',
        cells: cells.map(([value]) => value),
      }))
      const bytes = new TextEncoder().encode(partOf(run, found))
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      const [header, ...lines] = parsed(new TextDecoder().decode(bytes))
      expect(header).toEqual(columns.map(({ name }) => name))
      expect(lines).toHaveLength(rows.length)
      for (const [at, line] of lines.entries())
        for (const [column, cell] of line.entries()) {
          const [, meant] = rows[at]![column]!
          if (columns[column]!.kind !== 'text') expect(cell).toBe(meant)
          else {
            expect(isComputed.test(cell), JSON.stringify(cell)).toBe(false)
            expect(isComputed.test(meant) ? cell.slice(1) : cell).toBe(meant)
          }
        }
    }),
  )
})
