import type { BoundQuery } from '../../../src/platform/query.ts'
import type { parts } from './contract-summary.ts'

export interface SummaryRow {
  readonly group: string | null
  readonly grossMinor: bigint
  readonly refundsMinor: bigint
  readonly disputesMinor: bigint
  readonly feesMinor: bigint
  readonly ivaMinor: bigint
  readonly paymentsCount: number
  readonly refundsCount: number
  readonly disputesCount: number
}

interface Asked {
  readonly beginsOn: string
  readonly endsOn: string
  readonly timeZone: string
  readonly currency: string
  readonly by: (typeof parts)[number] | null
}

const groups = {
  day: '(h.hour at time zone $4::text)::date::text',
  method: 'h.method',
  location: 'h.location_id::text',
} as const

/** The sums of what was counted of these days, by group in their order; one row of nulls' group without. */
export const summed = ({ beginsOn, endsOn, timeZone, currency, by }: Asked): BoundQuery<SummaryRow> => ({
  text: `select ${by === null ? 'null' : groups[by]} as part, sum(h.gross_minor)::bigint, sum(h.refunds_minor)::bigint,
      sum(h.disputes_minor)::bigint, sum(h.fees_minor)::bigint, sum(h.iva_minor)::bigint, sum(h.payments_count)::int,
      sum(h.refunds_count)::int, sum(h.disputes_count)::int
    from report_hours h
    where h.tenant_id = (select door.pinned_tenant()) and h.currency = $3::text
      and h.hour >= $1::date::timestamp at time zone $4::text
      and h.hour < ($2::date + 1)::timestamp at time zone $4::text
    group by 1 order by 1`,
  values: [beginsOn, endsOn, currency, timeZone],
  rows: (cells) =>
    cells.map(([group, gross, refunds, disputes, fees, iva, ...counts]) => ({
      group: group ?? null,
      grossMinor: BigInt(gross!),
      refundsMinor: BigInt(refunds!),
      disputesMinor: BigInt(disputes!),
      feesMinor: BigInt(fees!),
      ivaMinor: BigInt(iva!),
      paymentsCount: Number(counts[0]),
      refundsCount: Number(counts[1]),
      disputesCount: Number(counts[2]),
    })),
})

/** Everything that was booked before it is counted. */
export const countedUntil = (): BoundQuery<Date> => ({
  text: 'select door.reported_until()',
  values: [],
  rows: (cells) => cells.map(([time]) => new Date(time!)),
})
