import { eachDueSet } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { expire } from './contract-lists.ts'
import { planRemoveItem } from './plan.ts'
import { itemsByIds } from './store.ts'

/** Scheduled: removes values of lists whose time is over. */
export const expireItems = (run: JobRun) =>
  eachDueSet(run, 'risk_list_items', async ({ read, publish, now }, ids) => {
    const clock = clockOf(now)
    const [rows] = await read(expire, itemsByIds({ ids }))
    const plans = rows.flatMap((item) => {
      const plan = planRemoveItem(item, clock)
      return isRefusal(plan) ? [] : [plan]
    })
    if (plans.length === 0) return
    await publish(expire, {
      writes: plans.flatMap(({ writes }) => writes),
      events: plans.flatMap(({ events }) => events),
      reply: {},
    })
  })
