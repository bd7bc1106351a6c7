import type * as z from 'zod'
import { customerContacts, customers } from '../../../drizzle/schema/customers.ts'
import { customerExternalIds, syncRuns, syncSources } from '../../../drizzle/schema/sync.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import type { Json } from '../../../src/kernel/json.ts'
import {
  change,
  type EventDraft,
  expect,
  insert,
  type Plan,
  type Row,
  refuse,
  type Write,
} from '../../../src/kernel/plan.ts'
import {
  applyFields,
  type ContactRow,
  type CustomerFields,
  type CustomerRow,
  contactsMax,
  type FieldChanges,
  fieldState,
  fieldsOf,
  missingContacts,
  noFields,
  presentCustomer,
  refusalOf as refusalOfCustomer,
} from '../customers/api-pure.ts'
import type * as contracts from './contract.ts'
import { type Change, planChange } from './plan.ts'
import { presentRun } from './present.ts'
import type { Match, RunRow, SourceRow } from './store.ts'

export type SyncRecord = z.output<typeof contracts.SyncRecord>

/** Why a record has no effect. */
export interface RecordFault {
  readonly code: ProblemCode
  readonly param?: string | undefined
  readonly message?: string | undefined
}

/** A record, or what is wrong with what came in its place. */
export type Incoming =
  | { readonly record: SyncRecord }
  | { readonly externalId: string | null; readonly fault: RecordFault }

export interface RecordResult {
  readonly externalId: string | null
  readonly result: 'created' | 'updated' | 'skipped' | 'failed'
  readonly customerId: string | null
  /** Fields, as the interface names them, that stay as another source set them. */
  readonly kept: readonly string[]
  readonly fault: RecordFault | null
}

/** What was read for some records. */
export interface Found {
  readonly source: SourceRow
  readonly matches: readonly Match[]
  readonly customers: readonly CustomerRow[]
  readonly contacts: readonly ContactRow[]
}

/** Clocks of sources are this far ahead of ours at most. */
const aheadMsMax = 5 * 60_000

/** As `door.sync_matches` answers it. */
export const keyOfId = (sourceId: string, externalId: string) => `i:${sourceId} ${externalId}`

const contactsIn = ({ customer: { email, phone } }: SyncRecord) => [
  ...(email ? [['email', email] as const] : []),
  ...(phone ? [['phone', phone] as const] : []),
]

/** By what customers are looked up for some records: what `door.sync_matches` takes. */
export function keysOf(sourceId: string, incoming: readonly Incoming[]) {
  const records = incoming.flatMap((one) => ('record' in one ? [one.record] : []))
  const named = incoming.flatMap((one) => ('record' in one ? one.record.external_id : (one.externalId ?? [])))
  return {
    ids: [
      ...named.map((externalId) => [sourceId, externalId]),
      ...records.flatMap(({ same_as }) => (same_as ? [[same_as.source_id, same_as.external_id]] : [])),
    ],
    own: records.flatMap(({ customer: { external_id } }) => (external_id ? [external_id] : [])),
    contacts: records.flatMap(contactsIn),
  }
}

/** A customer while the records of a batch are applied to it. */
interface Held {
  /** As it was read; null for a new one. */
  readonly before: CustomerRow | null
  after: CustomerRow
  readonly contacts: readonly ContactRow[]
  added: readonly ContactRow[]
  isKnownAnew: boolean
}

type Mode = RunRow['mode']

/**
 * What some records do to the customers, as if they came one after the other. Rows that a customer had when it was read
 * are relied on: where another request changed them, the plan is made again.
 */
export function applyRecords(found: Found, incoming: readonly Incoming[], mode: Mode, clock: Clock) {
  const { source } = found
  const held = new Map<string, Held>(
    found.customers.map((row) => [
      row.id,
      {
        before: row,
        after: row,
        contacts: found.contacts.filter(({ customerId }) => customerId === row.id),
        added: [],
        isKnownAnew: false,
      },
    ]),
  )
  const byKey = new Map(found.matches.map(({ key, customerId }) => [key, customerId]))
  const newIds: Row<typeof customerExternalIds>[] = []

  // Of an erased person the id is not kept again: replies and refusals are stored.
  const failure = (externalId: string | null, fault: RecordFault): RecordResult => {
    const known = held.get(byKey.get(keyOfId(source.id, externalId ?? '')) ?? '')?.after
    const isErased = known !== undefined && refusalOfCustomer(known) !== null
    return { externalId: isErased ? null : externalId, result: 'failed', customerId: null, kept: [], fault }
  }

  const results = incoming.map((one): RecordResult => {
    if (!('record' in one)) return failure(one.externalId, one.fault)
    const { record } = one
    const failed = (fault: RecordFault) => failure(record.external_id, fault)
    const at = record.updated_at === undefined ? clock.now : new Date(record.updated_at)
    if (at.getTime() > clock.now.getTime() + aheadMsMax)
      return failed({ code: 'sync_record_in_future', param: 'updated_at' })

    const key = keyOfId(source.id, record.external_id)
    const isKnown = byKey.has(key)
    const customerId = isKnown ? byKey.get(key)! : customerOf(record, byKey)
    if (typeof customerId === 'object' && customerId !== null) return failed(customerId)
    const existing = customerId === null ? undefined : held.get(customerId)
    if (existing && refusalOfCustomer(existing.after)) return failed({ code: 'customer_erased' })

    const fields = fieldsOf(record.customer)
    const own = record.customer.external_id
    const owner = own ? byKey.get(`o:${own}`) : undefined
    if (owner !== undefined && owner !== customerId)
      return failed({ code: 'customer_external_id_taken', param: 'customer.external_id' })

    const before = existing?.after ?? newCustomer(clock)
    const after = said(before, fields, { source: source.id, at }, mode)
    const changed = namesOf(fields).filter((name) => !isSame(before[name], after[name]))
    const kept = namesOf(fields).filter((name) => !isSame(after[name], fields[name]))
    const contacts = [...(existing?.contacts ?? []), ...(existing?.added ?? [])]
    const added = missingContacts(after, contacts, clock)
    if (contacts.length + added.length > contactsMax)
      return failed({ code: 'customer_contacts_too_many', param: 'customer' })

    const next = existing ?? { before: null, after, contacts: [], added: [], isKnownAnew: false }
    next.after = after
    next.added = [...next.added, ...added]
    held.set(after.id, next)
    if (own && changed.includes('externalId')) byKey.set(`o:${own}`, after.id)
    if (!isKnown) {
      next.isKnownAnew = true
      byKey.set(key, after.id)
      newIds.push(externalIdOf(source.id, record.external_id, after.id, clock))
    }
    return {
      externalId: record.external_id,
      result: !existing ? 'created' : changed.length > 0 || !isKnown ? 'updated' : 'skipped',
      customerId: after.id,
      kept: kept.map(asShown),
      fault: null,
    }
  })
  return { results, ...writesOf([...held.values()], newIds, clock) }
}

/**
 * The customer that a record with a new id is about; null for a new one. Ids name a customer; contacts do where they are
 * verified and those of the record name one customer alone.
 */
function customerOf(record: SyncRecord, byKey: ReadonlyMap<string, string>): string | RecordFault | null {
  const { same_as: sameAs, customer } = record
  const other = sameAs && byKey.get(keyOfId(sameAs.source_id, sameAs.external_id))
  if (sameAs && other === undefined) return { code: 'sync_record_unknown', param: 'same_as' }
  const own = customer.external_id ? byKey.get(`o:${customer.external_id}`) : undefined
  if (other !== undefined && own !== undefined && other !== own)
    return { code: 'sync_record_ambiguous', param: 'same_as' }
  const byId = other ?? own
  if (byId !== undefined) return byId
  const verified = new Set(contactsIn(record).flatMap(([kind, value]) => byKey.get(`${kind}:${value}`) ?? []))
  return verified.size === 1 ? [...verified][0]! : null
}

const newCustomer = (clock: Clock): CustomerRow => ({
  ...noFields,
  ...newRow(clock),
  status: 'active',
  mergedInto: null,
  eraseAt: null,
  erasure: null,
})

type Saying = { readonly source: string; readonly at: Date }

/** A backfill also replaces what its source itself said later. */
function said(customer: CustomerRow, fields: FieldChanges, saying: Saying, mode: Mode): CustomerRow {
  const after = applyFields(customer, fields, saying)
  if (mode === 'live') return after
  return namesOf(fields).reduce((row, name) => {
    const [stamp, by] = customer.fieldStamps[name] ?? [0, null]
    if (by !== saying.source || isSame(row[name], fields[name])) return row
    return applyFields(row, { [name]: fields[name] }, { ...saying, at: new Date(stamp + 1) })
  }, after)
}

const namesOf = (fields: FieldChanges) =>
  (Object.keys(fields) as (keyof CustomerFields)[]).filter((name) => fields[name] !== undefined)

const isSame = (one: unknown, other: unknown) =>
  canonicalJson((one ?? null) as Json) === canonicalJson((other ?? null) as Json)

const asShown = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const externalIdOf = (
  sourceId: string,
  externalId: string,
  customerId: string,
  clock: Clock,
): Row<typeof customerExternalIds> => ({
  ...newRow(clock),
  sourceId,
  externalId,
  externalIdDigest: null,
  customerId,
})

/** In one order, so that batches about the same customers wait for each other instead of in a ring. */
function writesOf(
  held: readonly Held[],
  newIds: readonly Row<typeof customerExternalIds>[],
  { now, newId }: Clock,
) {
  const sorted = held.toSorted((one, other) => (one.after.id < other.after.id ? -1 : 1))
  const fresh = sorted.filter(({ before }) => before === null)
  const contacts = sorted.flatMap(({ added }) => added)
  const ids = newIds.toSorted((one, other) => (one.externalId! < other.externalId! ? -1 : 1))
  const writes: Write[] = []
  const events: EventDraft[] = []
  const about = (id: string) => ({ type: 'customer', id })

  for (const { before, after, added, isKnownAnew } of sorted) {
    if (before === null) continue
    const changes = fieldState(after)
    if (!isSame(fieldState(before), { ...changes, fieldStamps: before.fieldStamps }) || added.length > 0) {
      const next = { ...after, version: before.version + 1, updatedAt: now }
      writes.push(change(customers, before, { ...changes, updatedAt: now }))
      events.push(
        event(newId(), 'customer.updated', about(before.id), presentCustomer(next), presentCustomer(before)),
      )
    } else if (!isSame(before.fieldStamps, after.fieldStamps)) {
      // Nothing to see: a later record says the same, and what is older must not replace it.
      writes.push(change(customers, before, { fieldStamps: after.fieldStamps }))
    } else if (isKnownAnew) writes.push(expect(customers, before.id, { version: before.version }))
  }
  if (fresh.length > 0) writes.push(insert(customers, ...fresh.map(({ after }) => after)))
  if (contacts.length > 0) writes.push(insert(customerContacts, ...contacts))
  if (ids.length > 0) writes.push(insert(customerExternalIds, ...ids))
  for (const { after } of fresh)
    events.push(event(newId(), 'customer.created', about(after.id), presentCustomer(after)))
  return { writes, events }
}

/** How many records had each result. */
export const countsOf = (results: readonly RecordResult[]) => {
  const counts = { created: 0, updated: 0, skipped: 0, failed: 0 }
  for (const { result } of results) counts[result]++
  return counts
}

/** Why a source takes no records now; null where it does. */
export const refusalOf = ({ status }: SourceRow) =>
  status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : status === 'paused'
      ? refuse('sync_source_paused')
      : null

/** How a run with these counts ends. */
export const endOf = ({ created, updated, skipped, failed }: ReturnType<typeof countsOf>) =>
  failed === 0 ? 'succeeded' : created + updated + skipped > 0 ? 'partial' : 'failed'

/** A source whose records come is active. */
export const activation = (source: SourceRow, clock: Clock): Change =>
  source.status === 'active'
    ? { writes: [expect(syncSources, source.id, { status: 'active' })], events: [] }
    : planChange(source, { status: 'active' }, 'sync_source.activated', clock)

/** A batch that was pushed: its records, the run that it is, and the source's first sign of life. */
export function planBatch(found: Found, incoming: readonly Incoming[], mode: Mode, clock: Clock) {
  const { source } = found
  const closed = refusalOf(source)
  if (closed) return closed
  if (source.kind !== 'push') return refuse('sync_source_not_pushed')
  return planRecords(found, incoming, mode, clock)
}

/** Some records as a run that is over with them. */
export function planRecords(found: Found, incoming: readonly Incoming[], mode: Mode, clock: Clock) {
  const { source } = found
  const { results, writes, events } = applyRecords(found, incoming, mode, clock)
  const counts = countsOf(results)
  const { now, newId } = clock
  const run: RunRow = {
    ...newRow(clock),
    sourceId: source.id,
    mode,
    status: endOf(counts),
    total: results.length,
    ...counts,
    cursor: null,
    slicesCount: 1,
    progress: 100,
    fileId: null,
    triesCount: 0,
    failure: null,
    nextCheckAt: null,
    finishedAt: now,
  }
  const activated = activation(source, clock)
  const reply = presentRun(run)
  return {
    writes: [...activated.writes, ...writes, insert(syncRuns, run)],
    events: [
      ...activated.events,
      ...events,
      event(newId(), `sync_run.${endOf(counts)}`, { type: 'sync_run', id: run.id }, reply),
    ],
    reply: { run: reply, results },
    subjectId: source.id,
  } satisfies Plan<unknown>
}
