import type { FoundRow, RunRow } from '../../functions/insight/reporting/store.ts'
import { reportTypes } from '../../functions/insight/reporting/types/index.ts'
import { partOf } from '../../functions/insight/reporting/write.ts'

/** RFC 4180, by hand: the rows of a file. No code of the product reads it. */
export function parsed(text: string): string[][] {
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
export const corpus = [
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
/** Without what a run has to name. */
export const columns = reportTypes.customers.columns.filter(({ isPersonal }) => !isPersonal)
export const run = {
  type: 'customers',
  typeVersion: reportTypes.customers.version,
  amounts: 'decimal',
  format: 'csv',
  partsCount: 0,
} as unknown as RunRow

/** The bytes of a file of these rows, whose cells are as the database answers them. */
export const fileOf = (rows: readonly (readonly (string | null)[])[]) =>
  new TextEncoder().encode(
    partOf(
      run,
      rows.map(
        (cells): FoundRow => ({
          createdAt: new Date(0),
          id: '0190a6d2-7c3e-7b1a-9f00-000000000001',
          cells,
        }),
      ),
    ),
  )

/** What a spreadsheet would compute. */
export const isComputed = /^[=+\-@\t\r]/
