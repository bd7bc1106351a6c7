import type { Call } from '../../../src/http/operation.ts'
import { isRemoved, storedDigest } from './run.ts'
import { type Moved, movedBy, type RunRow, type Summed, summedRows } from './store.ts'

/** The rows that one statement sums: it ends well within the time that the database gives it. */
const pageRowsMax = 50_000

/** What the ledger and the stored file have now; `fileDigest` is null where the file is not there. */
export interface Found {
  readonly rowsCount: number
  readonly sums: Readonly<Record<string, bigint>>
  readonly moved: readonly Moved[]
  readonly fileDigest: string | null
}

/** Computes a run again, in pages of its rows, then reads its file part by part. */
export async function foundNow(
  {
    readAll,
    read,
    services,
    now,
  }: Pick<Call<unknown, unknown, unknown, unknown>, 'read' | 'readAll' | 'services' | 'now'>,
  run: RunRow,
  pageRows = pageRowsMax,
): Promise<Found> {
  const sums: Record<string, bigint> = {}
  let rowsCount = 0
  const [moved, first] = await readAll(movedBy(run), summedRows(run, null, pageRows))
  for (let page: readonly Summed[] = first; page.length > 0; ) {
    for (const { currency, sumMinor } of page) sums[currency] = (sums[currency] ?? 0n) + sumMinor
    const count = page.reduce((all, each) => all + each.rowsCount, 0)
    rowsCount += count
    page = count < pageRows ? [] : await read(summedRows(run, page[0]!.last, pageRows))
  }
  const fileDigest = isRemoved(run, now) ? null : await storedDigest(services.bucket, run)
  return { rowsCount, sums, moved, fileDigest }
}

const figures = ['opening', 'sum', 'closing'] as const

/** A run compared with what was found. */
export function verification(run: RunRow, found: Found, now: Date) {
  const differences: {
    figure: (typeof figures)[number] | 'rows_count' | 'file'
    currency: string | null
    stored: string | null
    found: string | null
  }[] = []
  const stored = { opening: run.opening ?? {}, sum: run.sums, closing: run.closing ?? {} }
  const ledger = {
    opening: Object.fromEntries(found.moved.map((each) => [each.currency, each.openingMinor])),
    sum: found.sums,
    closing: Object.fromEntries(found.moved.map((each) => [each.currency, each.closingMinor])),
  }
  for (const figure of figures) {
    const currencies = new Set([...Object.keys(stored[figure]), ...Object.keys(ledger[figure])])
    for (const currency of [...currencies].sort()) {
      const [was, is] = [BigInt(stored[figure][currency] ?? 0), ledger[figure][currency] ?? 0n]
      if (was !== is) differences.push({ figure, currency, stored: String(was), found: String(is) })
    }
  }
  if (found.rowsCount !== run.rowsCount)
    differences.push({
      figure: 'rows_count',
      currency: null,
      stored: String(run.rowsCount),
      found: String(found.rowsCount),
    })
  const file = isRemoved(run, now)
    ? ('removed' as const)
    : found.fileDigest === null
      ? ('missing' as const)
      : found.fileDigest === run.fileDigest
        ? ('equal' as const)
        : ('different' as const)
  if (file === 'missing' || file === 'different')
    differences.push({ figure: 'file', currency: null, stored: run.fileDigest, found: found.fileDigest })
  return {
    object: 'report_verification' as const,
    run_id: run.id,
    equal: differences.length === 0,
    file,
    differences,
    verified_at: now.toISOString(),
  }
}
