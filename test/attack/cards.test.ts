import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ratePolicies } from '../../src/http/stages/rate-limit.ts'
import { newMerchant } from '../support/merchant.ts'
import { control } from '../support/stack.ts'
import { newPlace, pass, pays, stolen, tries } from '../support/stolen-cards.ts'
import { startTurnstile, type Turnstile } from '../support/turnstile.ts'
import { isLong, rounds, timeoutMs } from './time.ts'

/*
 * Two thousand stolen cards in ten minutes at one link, while two hundred honest buyers pay there from the same address.
 * The small form has fewer of both, and its minutes pass in the database.
 */

// The small form ends sooner: what was tried counts for ten minutes, to which those of a slow machine add.
const minutes = isLong ? 10 : 6
const aMinute = isLong ? { stolen: 200, honest: 20 } : { stolen: 45, honest: 2 }

let turnstile: Turnstile
beforeAll(async () => {
  turnstile = await startTurnstile()
  await control.reconfigure('sandbox', {
    vars: turnstile.vars,
    // The limits of wrangler.toml, which other tests have raised; in the small form ten minutes take some seconds.
    ...(isLong && {
      rateLimits: Object.fromEntries(
        Object.values(ratePolicies).map(({ binding, limit }) => [binding, { limit, period: 60 }]),
      ),
    }),
  })
})
afterAll(async () => {
  await control.reconfigure('sandbox')
  await turnstile.close()
})

test('stolen cards reach no bank after a minute, and no honest buyer of the same address is kept from paying', {
  timeout: timeoutMs,
}, async () => {
  let [asked, reached, paid] = [0, 0, 0]
  const done = await rounds('cards', async () => {
    const merchant = await newMerchant()
    const place = await newPlace(merchant)
    const tried: Promise<readonly [minute: number, led: string]>[] = []
    const honest: Promise<string>[] = []
    const startedAtMs = Date.now()
    for (let minute = 0; minute < minutes; minute++) {
      for (let at = 0; at < aMinute.stolen; at++) {
        const card = stolen(minute * aMinute.stolen + at)
        const trying = tries(place, card).then((led) => [minute, led] as const)
        tried.push(trying)
        if (at % Math.floor(aMinute.stolen / aMinute.honest) === 0) honest.push(pays(place, turnstile))
        if (isLong)
          await delay(Math.max(0, startedAtMs + (minute + at / aMinute.stolen) * 60_000 - Date.now()))
        else await Promise.all([trying, honest.at(-1)])
      }
      if (!isLong) await pass(merchant, '1 minute')
    }
    const led = await Promise.all(tried)
    const late = led.filter(([minute, where]) => minute > 0 && where === 'tried').length
    expect(late, 'stolen cards that reached the processor after the first minute').toBeLessThanOrEqual(20)
    const went = await Promise.all(honest)
    expect(went.filter((how) => how !== 'paid')).toEqual([])
    asked += led.length
    reached += late
    paid += went.length
  })
  console.log(
    `cards: ${asked} stolen ones in ${done} rounds, ${reached} reached the processor after a minute; ${paid} of ${paid} honest buyers paid`,
  )
})
