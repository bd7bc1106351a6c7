import { eachDueApart } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { watching } from './contract.ts'
import { countedAt, planWatch } from './plan.ts'
import { hoursCounted, hoursKept, liveInsights, mostDeclined, watchById } from './store.ts'
import { unusualAt, weekMs } from './unusual.ts'

/** Scheduled: counts the hours that are over, of a week at most. The last of them is judged. */
export const watchHours = (run: JobRun): Promise<void> =>
  eachDueApart(run, 'insight_watches', async ({ read, publish, now }, id) => {
    const [[watch]] = await read(watching, watchById({ id }))
    if (!watch) return
    const ends = countedAt(now)
    if (watch.countedTo >= ends) return
    const begins = new Date(Math.max(watch.countedTo.getTime(), ends.getTime() - weekMs))
    const [counted, kept, live] = await read(
      watching,
      hoursCounted({ begins, ends }),
      hoursKept({ ends }),
      liveInsights(),
    )
    const unusual = new Map(unusualAt(ends, [...kept, ...counted], watch.createdAt))
    const declines = unusual.get('cards_declined')
    if (declines && !watch.seen.cards_declined) {
      const [[most]] = await read(
        watching,
        mostDeclined({ begins: declines.begins_at, ends: declines.ends_at }),
      )
      unusual.set('cards_declined', { ...declines, decline_code: most?.code ?? null })
    }
    await publish(watching, planWatch({ watch, countedTo: ends, counted, unusual, live }, clockOf(now)))
  })
