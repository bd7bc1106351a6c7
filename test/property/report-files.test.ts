import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columns, corpus, fileOf, isComputed, parsed } from '../support/report-files.ts'

const text = fc.oneof(fc.constantFrom(...corpus), fc.string({ unit: 'grapheme', maxLength: 12 }))

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
test('another program reads from a CSV what was written, and no text that a spreadsheet would compute', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const bytes = fileOf(rows.map((cells) => cells.map(([value]) => value)))
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
