import { operation } from '../../../src/http/operation.ts'
import * as contracts from './contract-clock.ts'
import { planAdvance, presentClock } from './plan-clock.ts'
import { clockOf } from './store.ts'

export const getClock = operation(contracts.get, async ({ read, now }) => {
  const [clock] = await read(clockOf())
  return presentClock(clock?.advancedSeconds ?? 0n, now)
})

export const advanceClock = operation(contracts.advance, async ({ body, read, publish, now, newId }) => {
  const [clock] = await read(clockOf())
  return publish(planAdvance(clock, body.advance, { now, newId }))
})
