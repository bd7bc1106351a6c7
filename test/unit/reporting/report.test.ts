import { expect, test } from 'vitest'
import { decimalOf } from '../../../functions/insight/reporting/cells.ts'
import { isBalanced, withPart } from '../../../functions/insight/reporting/plan.ts'
import type { FoundRow, RunRow } from '../../../functions/insight/reporting/store.ts'
import { reportTypes } from '../../../functions/insight/reporting/types/index.ts'
import { partOf } from '../../../functions/insight/reporting/write.ts'

test.each([
  ['0', '0.00'],
  ['5', '0.05'],
  ['-5', '-0.05'],
  ['100', '1.00'],
  ['-123456', '-1234.56'],
  ['999999999999999999', '9999999999999999.99'],
])('%s minor units are %s', (minor, decimal) => {
  expect(decimalOf(minor)).toBe(decimal)
})

const moved = (openingMinor: bigint, closingMinor: bigint, currency = 'mxn') => ({
  currency,
  openingMinor,
  closingMinor,
})

test.each([
  ['no movement', {}, [moved(5n, 5n)], true],
  ['no account', {}, [], true],
  ['what its rows are', { mxn: '-7' }, [moved(5n, -2n)], true],
  ['one unit more', { mxn: '-7' }, [moved(5n, -1n)], false],
  ['another currency', { mxn: '1' }, [moved(0n, 1n, 'usd')], false],
  ['rows of a currency without an account', { mxn: '1', usd: '0' }, [moved(0n, 1n)], false],
  ['two currencies, one of them wrong', { mxn: '1' }, [moved(0n, 1n), moved(0n, 1n, 'usd')], false],
])('accounts that moved by %s', (_, sums, each, balanced) => {
  expect(isBalanced(sums, each)).toBe(balanced)
})

const run = {
  type: 'balance.activity',
  typeVersion: 1,
  amounts: 'decimal',
  format: 'csv',
  partsCount: 0,
  rowsCount: 0,
  sums: {},
  place: null,
} as unknown as RunRow

const id = '0190a6d2-7c3e-7b1a-9f00-000000000001'
const row = (amount: string, source = 'payment'): FoundRow => ({
  createdAt: new Date('2026-03-01T06:00:00.123Z'),
  id,
  cells: ['2026-03-01 06:00:00.123+00', id, source, id, 'release', 'mxn', amount],
})

test('the first part alone has the header; a text that a spreadsheet would compute is quoted, an amount is not', () => {
  const line = (amount: string, source: string) =>
    `2026-03-01T06:00:00.123Z,${id},${source},${id},release,mxn,${amount}\r\n`
  const header = '\ufeffbooked_at,journal_id,source_type,source_id,entry_kind,currency,amount\r\n'
  expect(partOf(run, [row('150', '=1+1')])).toBe(header + line('1.50', "'=1+1"))
  expect(partOf({ ...run, partsCount: 1 }, [row('-150')])).toBe(line('-1.50', 'payment'))
})

test('a run of an earlier version shows the columns of that version', () => {
  const { columns } = reportTypes.poliza
  const cells = columns.map(({ kind }) => (kind === 'time' ? '2026-03-01 06:00:00+00' : '7'))
  const written = (typeVersion: number) =>
    partOf({ ...run, type: 'poliza', typeVersion }, [{ createdAt: new Date(), id, cells }]).split('\r\n')
  expect(written(1)[0]).toMatch(/,debit,credit,amount$/)
  expect(written(2)[0]).toMatch(/,amount,account_number$/)
  for (const version of [1, 2]) {
    const [header, line] = written(version)
    expect(line!.split(',')).toHaveLength(header!.split(',').length)
  }
})

test('a part adds its rows to the sums, and the next one begins behind its last row', () => {
  const first = withPart(run, [row('150'), row('-50')])
  expect(first).toEqual({
    partsCount: 1,
    rowsCount: 2,
    sums: { mxn: '100' },
    place: { at: '2026-03-01T06:00:00.123Z', id },
  })
  const empty = withPart({ ...run, ...first }, [])
  expect(empty).toEqual({ ...first, partsCount: 2 })
})

test.each(Object.entries(reportTypes))(
  '%s names its columns once, and sums an amount of a currency',
  (_, type) => {
    const names = type.columns.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(type.columns.find(({ name }) => name === type.sums)?.kind).toBe('minor')
    expect(names).toContain('currency')
  },
)
