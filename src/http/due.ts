import type { Credential } from '../platform/postgres.ts'
import { Stale } from './publishing.ts'
import type { Services } from './services.ts'

const batch = 100
/** How long one run of a job goes on; what is left is for the next. */
const runMs = 20_000

export type SystemCredential = Extract<Credential, { kind: 'system' }>

/**
 * Scheduled work that time has made due, each item by itself: one that fails keeps no other waiting, is told to us, and
 * is due again next time. A backlog is worked off for a while, not just its first batch. One that somebody else moved meanwhile is nobody's fault.
 */
export async function eachDue(
  services: Services,
  job: string,
  requestId: string,
  now: Date,
  work: (credential: SystemCredential, id: string) => Promise<void>,
): Promise<void> {
  const endsAt = Date.now() + runMs
  for (;;) {
    const due = await services.db.due(job, now, batch)
    let done = 0
    for (const { tenantId, id } of due) {
      try {
        await work({ kind: 'system', tenantId }, id)
        done += 1
      } catch (error) {
        if (error instanceof Stale) continue
        const told = { request_id: requestId, job, id, message: String(error) }
        console.error(JSON.stringify({ level: 'error', ...told }))
      }
    }
    // On with a long backlog, but not with what has just failed.
    if (due.length < batch || done === 0 || Date.now() >= endsAt) return
  }
}
