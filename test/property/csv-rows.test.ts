import './seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvRow, rowsIn } from '../../src/platform/csv.ts'
import { withoutStacks } from '../support/stacks.ts'

const rows = (bytes: Uint8Array, isEnd: boolean) =>
  withoutStacks(() => rowsIn(bytes, { delimiter: ',', isEnd, rowsMax: 1_000 }))

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
      const whole = JSON.stringify(rows(bytes, true))
      const behind = new Map<number, readonly CsvRow[]>()
      for (let cut = 0; cut <= bytes.length; cut++) {
        const first = rows(bytes.subarray(0, cut), false)
        const next = first.at(-1)?.end ?? 0
        if (!behind.has(next))
          behind.set(
            next,
            rows(bytes.subarray(next), true).map((row) => ({
              ...row,
              start: row.start + next,
              end: row.end + next,
            })),
          )
        expect(JSON.stringify([...first, ...behind.get(next)!]), `cut at ${cut}`).toBe(whole)
      }
    }),
  )
})
