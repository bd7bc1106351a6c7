import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { erasure } from './contract-erasure.ts'
import { planErase, planPostpone } from './plan-erasure.ts'
import { customerById, mergedWithin, openBusiness, recentReplies } from './store.ts'

/**
 * Scheduled: erases the customers whose wait has ended. First the replies that Redis may still have, then everything in
 * the database at once: a run that dies in between begins again.
 */
export const eraseCustomers = (run: JobRun): Promise<void> =>
  eachDue(run, 'customers', async ({ read, publish, services, now }, id) => {
    const [[customer], merged, [open], replies] = await read(
      erasure,
      customerById({ id }),
      mergedWithin({ id }),
      openBusiness({ id }),
      recentReplies({ id }),
    )
    if (!customer?.eraseAt || customer.eraseAt > now) return
    const clock = { now, newId: () => uuidv7(now.getTime()) }
    if (open) {
      await publish(erasure, planPostpone(customer, clock))
      return
    }
    await services.memory.forgetReplies(replies)
    await publish(erasure, planErase(customer, merged, clock))
  })
