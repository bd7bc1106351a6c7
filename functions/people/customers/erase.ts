import { Stale } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import { isRefusedBy, type JobRun, type SystemCall } from '../../../src/http/system-call.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { erasure } from './contract-erasure.ts'
import { planErase, planPostpone, planSlice } from './plan-erasure.ts'
import { customerById, mergedWithin, openBusiness } from './store.ts'

/** A run leaves a long erasure after this time; the next one goes on. */
const erasingMs = 15_000

/** Scheduled: erases the customers whose wait has ended, each slice by slice. */
export const eraseCustomers = (run: JobRun): Promise<void> =>
  eachDue(run, 'customers', async (call, id) => {
    const startedAt = Date.now()
    let hasMore = true
    while (hasMore && Date.now() - startedAt < erasingMs)
      hasMore = await eraseSome(call, id).catch((error: unknown) => {
        // Another run is at it: that one goes on.
        if (error instanceof Stale) return false
        throw error
      })
  })

/**
 * The next step of an erasure; whether there is another. First Redis loses the replies that the last slice has emptied:
 * a run that dies in between begins with them.
 */
async function eraseSome({ read, publish, services, now }: SystemCall, id: string): Promise<boolean> {
  const [[customer], merged, [open]] = await read(
    erasure,
    customerById({ id }),
    mergedWithin({ id }),
    openBusiness({ id }),
  )
  if (!customer?.eraseAt || customer.eraseAt > now) return false
  const clock = { now, newId: () => uuidv7(now.getTime()) }
  if (open) {
    await publish(erasure, planPostpone(customer, clock))
    return false
  }
  await services.memory.forgetReplies(customer.erasure?.forget ?? [])
  if (customer.erasure?.left === false)
    try {
      await publish(erasure, planErase(customer, merged, clock))
      return false
    } catch (error) {
      if (!isRefusedBy('customers_erasure_left', error)) throw error
    }
  await publish(erasure, planSlice(customer, clock))
  return true
}
