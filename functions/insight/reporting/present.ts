import {
  type MappedAccount,
  type ReportTypeName,
  reportTypeNames,
} from '../../../drizzle/schema/reporting.ts'
import { written } from './cells.ts'
import type { DeliveryRow, FoundRow, MappingRow, RunRow, ScheduleRow } from './store.ts'
import type { timeZones } from './time-zones.ts'
import { columnsOf, typeOf } from './types/index.ts'

const presentType = (name: ReportTypeName) => {
  const { version, en, es, columns, accounts } = typeOf(name)
  return {
    object: 'report_type' as const,
    type: name,
    version,
    description: { en, es },
    columns: columns.map((column) => ({
      name: column.name,
      kind: column.kind,
      optional: column.isPersonal === true,
      description: { en: column.en, es: column.es },
    })),
    accounts: [...accounts],
  }
}

export const allTypes = () => reportTypeNames.map(presentType)

/** A run as the interface shows it. */
export const presentRun = (run: RunRow) => ({
  id: run.id,
  object: 'report_run' as const,
  type: run.type,
  type_version: run.typeVersion,
  status: run.status,
  period: { from: run.periodFrom, to: run.periodTo },
  time_zone: run.timeZone as (typeof timeZones)[number],
  amounts: run.amounts,
  format: run.format,
  columns: run.columns && [...run.columns],
  schedule_id: run.scheduleId,
  payout_id: run.payoutId,
  rows_count: run.rowsCount,
  opening: run.opening && { ...run.opening },
  closing: run.closing && { ...run.closing },
  sha256: run.fileDigest,
  failure: run.failure,
  as_of: (run.finishedAt && run.bookedUntil.toISOString()) || null,
  removes_at: (run.status === 'succeeded' && run.removeAt?.toISOString()) || null,
  finished_at: run.finishedAt?.toISOString() ?? null,
  version: run.version,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
})

/** A schedule as the interface shows it. */
export const presentSchedule = (schedule: ScheduleRow) => ({
  id: schedule.id,
  object: 'report_schedule' as const,
  name: schedule.name,
  type: schedule.type,
  format: schedule.format,
  amounts: schedule.amounts,
  time_zone: schedule.timeZone as (typeof timeZones)[number],
  every: schedule.every,
  weekday: schedule.weekday,
  recipients: [...schedule.recipients],
  status: schedule.status,
  paused_for: schedule.pausedFor,
  next_period:
    schedule.status === 'active' && schedule.nextFrom !== null
      ? { from: schedule.nextFrom, to: schedule.nextTo! }
      : null,
  author: { user_id: schedule.createdByUserId, email: schedule.createdByEmail },
  version: schedule.version,
  created_at: schedule.createdAt.toISOString(),
  updated_at: schedule.updatedAt.toISOString(),
})

/** Who is mailed a run, as the interface shows it. */
export const presentDelivery = (delivery: DeliveryRow) => ({
  id: delivery.id,
  object: 'report_delivery' as const,
  run_id: delivery.runId,
  member_id: delivery.memberId,
  status: delivery.status,
  withheld_for: delivery.withheldFor,
  version: delivery.version,
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
})

/** A row by the names of its columns. */
export const presentRow =
  (run: RunRow) =>
  ({ id, cells }: FoundRow) => ({
    id,
    object: 'report_row' as const,
    cells: Object.fromEntries(
      columnsOf(run).map(({ column, at }) => [column.name, written(cells[at] ?? null, column, 'minor')]),
    ),
  })

/** The newest mapping; undefined where there is none yet. */
export const presentMapping = (mapping: MappingRow | undefined) => ({
  object: 'report_account_mapping' as const,
  // The database keeps no order of them.
  accounts: Object.entries(mapping?.accounts ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, number]) => {
      const [account, entryKind = null] = key.split(' ') as [MappedAccount, string?]
      return { account, entry_kind: entryKind, number }
    }),
  author: mapping ? { user_id: mapping.createdByUserId, email: mapping.createdByEmail } : null,
  set_at: mapping?.createdAt.toISOString() ?? null,
})
