import type { Credential } from '../platform/postgres.ts'
import { Stale } from './publishing.ts'
import type { Services } from './services.ts'

const batch = 100

export type SystemCredential = Extract<Credential, { kind: 'system' }>

/**
 * Scheduled work that time has made due, each item by itself: one that fails keeps no other waiting, is told to us, and
 * is due again next time. One that somebody else moved meanwhile is nobody's fault.
 */
export async function eachDue(
  services: Services,
  job: string,
  requestId: string,
  now: Date,
  work: (credential: SystemCredential, id: string) => Promise<void>,
): Promise<void> {
  for (const { tenantId, id } of await services.db.due(job, now, batch)) {
    try {
      await work({ kind: 'system', tenantId }, id)
    } catch (error) {
      if (error instanceof Stale) continue
      const told = { request_id: requestId, job, id, message: String(error) }
      console.error(JSON.stringify({ level: 'error', ...told }))
    }
  }
}
