import {
  deliveredFiles,
  entitlementDownloads,
  entitlements,
  licenseKeys,
} from '../../../drizzle/schema/entitlements.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { adjust, change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { type StoredFileRow, stored } from '../../../src/kernel/stored-files.ts'
import { presentEntitlement, presentFile, presentKey } from './present.ts'
import type { CountedFile, EntitlementRow, FileRow, KeyRow } from './store.ts'

type Status = EntitlementRow['status']

interface Announcement {
  readonly type: EventType
  /** What it was announced as before; null: not at all. */
  readonly from: Status | null
}

/** What events say of a row that was announced as `from` and is `to` now, in their order. */
function changesBetween(from: Status | null, to: Status, wasReady: boolean): Announcement[] {
  if (from === to) return []
  if (from === null) {
    const first = wasReady ? 'active' : 'pending'
    return [
      { type: 'entitlement.created', from },
      ...changesBetween('pending', first, wasReady),
      ...changesBetween(first, to, wasReady),
    ]
  }
  if (to === 'revoked') return [{ type: 'entitlement.revoked', from }]
  return [{ type: from === 'revoked' ? 'entitlement.reinstated' : 'entitlement.delivered', from }]
}

/** A row as the last event showed it: triggers may have changed it since. */
function announcedAs(row: EntitlementRow, status: Status): EntitlementRow {
  if (status === 'revoked')
    return {
      ...row,
      status,
      revokedAt: row.announcedRevokedAt,
      revokedBecause: row.announcedRevokedBecause,
    }
  const isPending = status === 'pending' ? { readyAt: null, codeLast4: null } : {}
  return { ...row, status, revokedAt: null, revokedBecause: null, ...isPending }
}

/** Changes an entitlement and announces all that no event has shown of it. */
function planChange(row: EntitlementRow, set: Partial<EntitlementRow>, { now, newId }: Clock) {
  const changed: EntitlementRow = { ...row, ...set, version: row.version + 1, updatedAt: now }
  const after = presentEntitlement(changed)
  const about = { type: 'entitlement', id: row.id }
  return {
    writes: [
      change(entitlements, row, {
        ...set,
        announced: changed.status,
        announcedRevokedAt: changed.revokedAt,
        announcedRevokedBecause: changed.revokedBecause,
        updatedAt: now,
      }),
    ],
    events: changesBetween(row.announced, changed.status, changed.readyAt !== null).map(({ type, from }) =>
      event(newId(), type, about, after, from === null ? {} : presentEntitlement(announcedAs(row, from))),
    ),
    reply: after,
  } satisfies Plan<unknown>
}

/** A new code, as it is stored. */
export interface IssuedCode {
  readonly codeCiphertext: string
  readonly codeDigest: string
  readonly codeLast4: string
}

/** Gives a code to what waits for one, and announces what triggers changed; null where there is nothing to do. */
export function planIssue(row: EntitlementRow, code: IssuedCode | null, clock: Clock) {
  if (code) return planChange(row, { ...code, status: 'active', readyAt: clock.now }, clock)
  return row.announced === row.status ? null : planChange(row, {}, clock)
}

/** Whether a code of ours is missing. */
export const awaitsCode = ({ status, codeFrom }: EntitlementRow) =>
  status === 'pending' && codeFrom === 'generated'

export const planRevoke = (row: EntitlementRow, clock: Clock) =>
  row.status === 'revoked'
    ? refuse('entitlement_not_active')
    : planChange(row, { status: 'revoked', revokedAt: clock.now, revokedBecause: 'merchant' }, clock)

export const planReinstate = (row: EntitlementRow, clock: Clock) =>
  row.status === 'revoked'
    ? planChange(
        row,
        { status: row.readyAt === null ? 'pending' : 'active', revokedAt: null, revokedBecause: null },
        clock,
      )
    : refuse('entitlement_not_revoked')

export function planRedeem(row: EntitlementRow, clock: Clock) {
  if (row.redeemedAt !== null) return refuse('entitlement_redeemed')
  const refused = refusalOf(row, clock.now)
  if (refused) return refused
  const plan = planChange(row, { redeemedAt: clock.now }, clock)
  const about = { type: 'entitlement', id: row.id }
  const redeemed = event(clock.newId(), 'entitlement.redeemed', about, plan.reply, presentEntitlement(row))
  return { ...plan, events: [...plan.events, redeemed], subjectId: row.id } satisfies Plan<unknown>
}

/** Why the buyer cannot have it now; null: it can be had. */
export function refusalOf({ status, expiresAt }: EntitlementRow, now: Date) {
  if (status !== 'active') return refuse('entitlement_not_active')
  return expiresAt !== null && expiresAt <= now ? refuse('entitlement_expired') : null
}

/** How often the buyer may still download a file; null: as often as wanted. */
export const downloadsLeft = ({ downloadsMax }: EntitlementRow, { downloadsCount }: CountedFile) =>
  downloadsMax === null ? null : Math.max(0, downloadsMax - downloadsCount)

/** The same for these files: used up where the buyer has downloaded each of them as often as allowed. */
export const refusalOfDownload = (row: EntitlementRow, files: readonly CountedFile[], now: Date) =>
  refusalOf(row, now) ??
  (files.length > 0 && files.every((file) => downloadsLeft(row, file) === 0)
    ? refuse('downloads_used_up')
    : null)

/** Counts a download. The database refuses it after the last one, and of what was revoked meanwhile. */
export const planDownload = ({ id }: EntitlementRow, fileId: string, { newId }: Clock) =>
  ({
    writes: [
      adjust(entitlements, id, { downloadsCount: 1 }),
      insert(entitlementDownloads, { id: newId(), entitlementId: id, fileId, downloadsCount: 1 }),
    ],
    events: [],
    reply: {},
    subjectId: id,
  }) satisfies Plan<unknown>

/** A key of the merchant, as it is stored. */
export type NewKey = Pick<KeyRow, 'id' | 'ciphertext' | 'digest' | 'last4'>

/** `asked`: how many keys the request had. */
export function planAddKeys(itemId: string, keys: readonly NewKey[], asked: number, { now }: Clock) {
  const rows = keys.map(
    (key): KeyRow => ({
      ...key,
      itemId,
      status: 'available',
      entitlementId: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }),
  )
  return {
    writes: rows.length === 0 ? [] : [insert(licenseKeys, ...rows)],
    events: [],
    reply: {
      object: 'license_key_batch' as const,
      item_id: itemId,
      added: rows.length,
      known: asked - rows.length,
    },
    subjectId: itemId,
  } satisfies Plan<unknown>
}

export function planWithdraw(key: KeyRow, { now }: Clock) {
  if (key.status !== 'available') return refuse('license_key_not_available')
  const set = { status: 'withdrawn' as const, updatedAt: now }
  return {
    writes: [change(licenseKeys, key, set)],
    events: [],
    reply: presentKey({ ...key, ...set, version: key.version + 1 }),
  } satisfies Plan<unknown>
}

/** Part of an upload: shows the file. */
export function planAddFile(
  file: StoredFileRow,
  facts: Pick<FileRow, 'itemId' | 'name' | 'bytes'>,
  { now }: Clock,
) {
  const shown: FileRow = {
    ...file,
    ...facts,
    status: 'stored',
    removeAt: null,
    version: file.version + 1,
    updatedAt: now,
  }
  return {
    writes: [stored(deliveredFiles, file, now)],
    events: [],
    reply: presentFile(shown),
    subjectId: file.id,
  } satisfies Plan<unknown>
}

/** Its file goes with the next run of the job: no buyer can download it any more. */
export function planRemoveFile(file: FileRow, { now }: Clock) {
  if (file.status !== 'stored') return refuse('delivered_file_not_found')
  const set = { status: 'retired' as const, removeAt: now, updatedAt: now }
  return {
    writes: [change(deliveredFiles, file, set)],
    events: [],
    reply: presentFile({ ...file, ...set, version: file.version + 1 }),
  } satisfies Plan<unknown>
}
