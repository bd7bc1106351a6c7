import { processorCredentials } from '../../drizzle/schema/processors.ts'
import { event } from '../../src/kernel/events.ts'
import { change, insert, type Plan } from '../../src/kernel/plan.ts'
import { presentCredential } from './present.ts'
import type { CredentialRow } from './store.ts'

/** The secrets of an account, sealed. */
export interface Sealed {
  readonly secretKey: string
  readonly webhookSecret: string
}

export interface NewKeys extends Sealed {
  readonly processor: string
  readonly secretKeyLast4: string
  readonly publishableKey: string
}

interface Setting {
  readonly tenantId: string
  readonly baseUrl: string
  readonly now: Date
  readonly newId: () => string
}

// Changes are planned without the secrets, which are not read back.
const whole = (row: CredentialRow) => ({ ...row, secretKey: '', webhookSecret: '' })

/** Sets the keys of an account, for the first time or anew. No event and no reply carries what opens it. */
export function planUpdate(
  before: CredentialRow | undefined,
  keys: NewKeys,
  { tenantId, baseUrl, now, newId }: Setting,
) {
  const { secretKey, webhookSecret, ...shown } = keys
  const row: CredentialRow = before
    ? { ...before, ...shown, version: before.version + 1, updatedAt: now }
    : { tenantId, id: newId(), status: 'active', ...shown, version: 1, createdAt: now, updatedAt: now }
  const { tenantId: _, ...fields } = row
  const reply = presentCredential(row, baseUrl)
  return {
    writes: [
      before
        ? change(processorCredentials, whole(before), { ...keys, updatedAt: now })
        : insert(processorCredentials, { ...fields, secretKey, webhookSecret }),
    ],
    events: [
      event(
        newId(),
        'processor_credential.updated',
        { type: 'processor_credential', id: row.id },
        reply,
        before ? { secret_key_last4: before.secretKeyLast4, publishable_key: before.publishableKey } : {},
      ),
    ],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}
