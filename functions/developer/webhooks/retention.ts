import type { JobRun } from '../../../src/http/system-call.ts'

/** At most this many per transaction, so that its locks are short. */
const forgottenAtOnce = 500
/** How long one run lasts; the next one does the rest. */
const runMs = 5_000

/** Scheduled: deletes finished deliveries after their retention. Their events stay. */
export async function forgetDeliveries({ services: { db, settings } }: JobRun): Promise<false> {
  const endsAt = Date.now() + runMs
  for (;;) {
    const values = [settings.webhooks.retentionDays, forgottenAtOnce]
    const forgotten = await db.call('door.forget_deliveries(int,int)', values)
    if (Number(forgotten) < forgottenAtOnce || Date.now() >= endsAt) return false
  }
}
