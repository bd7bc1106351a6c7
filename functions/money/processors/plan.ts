import { type MethodStates, processorCredentials } from '../../../drizzle/schema/processors.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan } from '../../../src/kernel/plan.ts'
import { presentCredential } from './present.ts'
import type { CredentialRow } from './store.ts'

/** The secrets of an account; in a row they are encrypted. */
export interface AccountSecrets {
  readonly secretKey: string
  readonly webhookSecret: string
}

export interface NewKeys extends AccountSecrets {
  readonly processor: CredentialRow['processor']
  readonly methods: CredentialRow['methods']
  readonly secretKeyLast4: string
  readonly publishableKey: string
}

/** What an account may do is read this often. */
const readAgainMs = 24 * 60 * 60 * 1000

export const nextCheck = (now: Date): Date => new Date(now.getTime() + readAgainMs)

interface Setting {
  readonly tenantId: string
  readonly baseUrl: string
  readonly now: Date
  readonly newId: () => string
}

/** One of a merchant's accounts: its row's id, new or existing, and the account that is active until now. */
export interface Account {
  readonly id: string
  readonly accountRef: string | null
  /** Its row, if its keys were set before. */
  readonly before: CredentialRow | undefined
  /** The active account, if it is another. */
  readonly supersedes: CredentialRow | undefined
}

/** The account of these keys. A row is an account: other keys of the same account are the same row. */
export function accountAmong(
  rows: readonly CredentialRow[],
  processor: string,
  accountRef: string | null,
  newId: () => string,
): Account {
  const known = rows.filter((row) => row.processor === processor)
  const before = known.find((row) => row.accountRef === accountRef)
  const supersedes = known.find(({ status, id }) => status === 'active' && id !== before?.id)
  return { id: before?.id ?? newId(), accountRef, before, supersedes }
}

const about = ({ id }: CredentialRow) => ({ type: 'processor_credential', id })

/**
 * Sets the keys of an account, for the first time or again, and makes it the active one. The former one keeps its keys
 * for what it took. No event and no reply carries a secret.
 */
export function planUpdate(
  { id, accountRef, before, supersedes }: Account,
  keys: NewKeys,
  { tenantId, baseUrl, now, newId }: Setting,
) {
  const { secretKey, webhookSecret, ...shown } = keys
  const status = 'active'
  // Without a processor that says what the account may take there is none to ask again.
  const nextCheckAt = keys.methods && nextCheck(now)
  const row: CredentialRow = before
    ? { ...before, ...shown, status, nextCheckAt, version: before.version + 1, updatedAt: now }
    : { tenantId, id, accountRef, status, nextCheckAt, ...shown, version: 1, createdAt: now, updatedAt: now }
  const reply = presentCredential(row, baseUrl)
  const ended = supersedes ? planSupersede(supersedes, baseUrl, now, newId) : { writes: [], events: [] }
  return {
    writes: [
      ...ended.writes,
      before
        ? change(processorCredentials, before, { ...keys, status, nextCheckAt, updatedAt: now })
        : insert(processorCredentials, { ...row, secretKey, webhookSecret }),
    ],
    events: [
      ...ended.events,
      event(
        newId(),
        'processor_credential.updated',
        about(row),
        reply,
        before ? presentCredential(before, baseUrl) : {},
      ),
    ],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

function planSupersede(row: CredentialRow, baseUrl: string, now: Date, newId: () => string) {
  const set = { status: 'superseded' as const, nextCheckAt: null, updatedAt: now }
  const presented = presentCredential({ ...row, ...set, version: row.version + 1 }, baseUrl)
  return {
    writes: [change(processorCredentials, row, set)],
    events: [
      event(
        newId(),
        'processor_credential.superseded',
        about(row),
        presented,
        presentCredential(row, baseUrl),
      ),
    ],
  }
}

/** What the active account may take now; announced where it differs from before. */
export function planMethods(
  row: CredentialRow,
  methods: MethodStates | null,
  { baseUrl, now, newId }: Omit<Setting, 'tenantId'>,
): Plan<object> {
  const nextCheckAt = nextCheck(now)
  if (methods === null || canonicalJson(methods) === canonicalJson(row.methods))
    return { writes: [change(processorCredentials, row, { nextCheckAt })], events: [], reply: {} }
  const set = { methods, nextCheckAt, updatedAt: now }
  const presented = presentCredential({ ...row, ...set, version: row.version + 1 }, baseUrl)
  return {
    writes: [change(processorCredentials, row, set)],
    events: [
      event(newId(), 'processor_credential.updated', about(row), presented, presentCredential(row, baseUrl)),
    ],
    reply: {},
  }
}
