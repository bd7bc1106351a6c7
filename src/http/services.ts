import type { Bucket, Images, Settings } from '../env/settings.ts'
import type { Database } from '../platform/postgres.ts'
import type { Memory } from '../platform/redis.ts'
import type { Wake } from '../platform/wake.ts'

/** A signed-in customer, read from the identity database a moment ago. */
export interface CustomerSession {
  readonly sessionId: string
  readonly userId: string
  readonly email: string
  /** When this session last showed a second factor. */
  readonly factorVerifiedAt: Date | null
  /** Whether the address was confirmed. */
  readonly emailVerified: boolean
  /** Only `shown` opens anything that belongs to a workspace. */
  readonly secondFactor: 'none' | 'needed' | 'shown'
}

/** What one isolate keeps and every request uses. */
export interface Services<Session extends CustomerSession = CustomerSession> {
  readonly settings: Settings
  readonly db: Database
  readonly memory: Memory
  /** For `filesIn` of src/platform/files.ts. */
  readonly bucket: Bucket | undefined
  /** For `resized` of src/platform/images.ts. */
  readonly images?: Images | undefined
  /** Hurries webhooks along: see src/platform/wake.ts. */
  readonly wake: Wake
  /** Has the mails sent that wait in the outbox. The caller does not wait; it never fails. */
  readonly sendMails: () => void
  /** Work that the caller does not wait for: it goes on after the reply. */
  readonly inBackground?: (work: Promise<unknown>) => void
  /** The live session of a customer bearer, in one round trip or none; null when it is no such thing. */
  readonly sessionOf: (bearer: string) => Promise<Session | null>
}
