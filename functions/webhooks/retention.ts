import type { Services } from '../../src/http/services.ts'

/** One transaction deletes no more than this: its locks are short. */
const forgottenAtOnce = 500
/** How long one run goes on; what is left is for the next. */
const runMs = 5_000

/** Scheduled: forgets deliveries that have been over for as long as they are kept. Their events stay. */
export async function forgetDeliveries({ db, settings }: Services): Promise<void> {
  const endsAt = Date.now() + runMs
  for (;;) {
    const values = [settings.webhooks.retentionDays, forgottenAtOnce]
    const forgotten = await db.call('door.forget_deliveries(int,int)', values)
    if (Number(forgotten) < forgottenAtOnce || Date.now() >= endsAt) return
  }
}
