import type { JobRun } from '../../../src/http/system-call.ts'

/** The transactions whose journals one statement counts, and how many such statements a run has at most. */
const [transactionsMax, statementsMax] = [5_000, 100]

/** Scheduled: counts the journals that are new. A Worker that dies between two statements leaves the rest to the next run. */
export async function followJournals({ services: { db } }: JobRun): Promise<false> {
  for (let done = 0; done < statementsMax; done++) {
    if ((await db.call('door.follow_journals(int)', [transactionsMax])) !== 'true') break
  }
  // It gives no other job work.
  return false
}
