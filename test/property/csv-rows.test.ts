import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsIn } from '../../functions/sync-sources/csv/rows.ts'

const all = (bytes: Uint8Array) => rowsIn(bytes, { delimiter: ',', isEnd: true, rowsMax: 1_000 })

const cell = fc.array(fc.constantFrom('a', 'ñ', '"', ',', '\r', '\n', '\r\n', ' ', '€', '""'), {
  maxLength: 6,
})
const written = fc
  .array(fc.tuple(fc.array(cell, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n', '\r')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) =>
    rows.map(([row, end]) => row.map((of) => `"${of.join('').replaceAll('"', '""')}"`).join(',') + end),
  )

test('rows are the same wherever the file is cut', () => {
  fc.assert(
    fc.property(written, fc.boolean(), (lines, hasEnd) => {
      const text = lines.join('')
      const bytes = new TextEncoder().encode(hasEnd ? text : text.replace(/[\r\n]+$/, ''))
      const whole = all(bytes)
      for (let cut = 0; cut <= bytes.length; cut++) {
        const first = rowsIn(bytes.subarray(0, cut), { delimiter: ',', isEnd: false, rowsMax: 1_000 })
        const next = first.at(-1)?.end ?? 0
        const rest = all(bytes.subarray(next)).map((row) => ({
          ...row,
          start: row.start + next,
          end: row.end + next,
        }))
        expect([...first, ...rest], `cut at ${cut}`).toEqual(whole)
      }
    }),
  )
})
