import { addDays, daysBetween, type IsoDate } from '../../../src/kernel/bank-days.ts'

/**
 * What of one day's captures becomes available on one day; or what left the balance on a day, with both dates the same.
 * `knownOn` is the first day on which it was known at the time of day of the call.
 */
export interface Movement {
  readonly availableOn: IsoDate
  readonly knownOn: IsoDate
  readonly amountMinor: bigint
}

/** How many weeks back a day is compared with the same days of the week. */
const weeksMax = 8
/** With fewer weeks there is no likely part. */
const weeksMin = 3
/** The error is that of the last days, so many. */
const errorDays = 28
/** How far back captures are read: more than the oldest day that the oldest error compares with. */
export const historyDays = 180
export const horizonDaysMax = 45

export interface Likely {
  readonly p10Minor: bigint
  readonly p50Minor: bigint
  readonly p90Minor: bigint
  /** How many weeks it is taken from. */
  readonly weeksCount: number
}

/** Sums by the day on which money moves, of what was known on a day and of what was not. */
export class Movements {
  readonly #byDay = new Map<IsoDate, Movement[]>()
  readonly #first: IsoDate | null

  constructor(movements: readonly Movement[]) {
    let first: IsoDate | null = null
    for (const movement of movements) {
      const day = this.#byDay.get(movement.availableOn)
      if (day) day.push(movement)
      else this.#byDay.set(movement.availableOn, [movement])
      if (first === null || movement.knownOn < first) first = movement.knownOn
    }
    this.#first = first
  }

  /** What moves on `day` and was known on `asOf`. */
  known(day: IsoDate, asOf: IsoDate): bigint {
    return this.#sum(day, ({ knownOn }) => knownOn <= asOf)
  }

  all(day: IsoDate): bigint {
    return this.#sum(day, () => true)
  }

  /**
   * What comes on `day` beside what is known on `asOf`: on the same days of the weeks before, which were over when `asOf`
   * began, what was not known as many days ahead. Nearest rank: each figure is one that was. Null: too few weeks.
   */
  likely(day: IsoDate, asOf: IsoDate): Likely | null {
    const ahead = daysBetween(asOf, day)
    const samples: bigint[] = []
    for (let week = Math.ceil((ahead + 1) / 7); samples.length < weeksMax; week++) {
      const like = addDays(day, -7 * week)
      // A week in which the merchant did not sell yet says nothing.
      if (this.#first === null || addDays(like, -ahead) < this.#first) break
      samples.push(this.all(like) - this.known(like, addDays(like, -ahead)))
    }
    if (samples.length < weeksMin) return null
    samples.sort((a, b) => (a < b ? -1 : 1))
    const rank = (percent: number) => samples[Math.ceil((samples.length * percent) / 100) - 1]!
    return { p10Minor: rank(10), p50Minor: rank(50), p90Minor: rank(90), weeksCount: samples.length }
  }

  /**
   * By how much a forecast of so many days was wrong, in the mean of the last 28 days, rounded half up; with how many of
   * them had one. Null: none had.
   */
  meanError(
    ahead: number,
    today: IsoDate,
  ): { readonly amountMinor: bigint; readonly daysCount: number } | null {
    let sum = 0n
    let daysCount = 0
    for (let back = 1; back <= errorDays; back++) {
      const day = addDays(today, -back)
      const asOf = addDays(day, -ahead)
      const likely = this.likely(day, asOf)
      if (!likely) continue
      const off = this.known(day, asOf) + likely.p50Minor - this.all(day)
      sum += off < 0n ? -off : off
      daysCount++
    }
    if (daysCount === 0) return null
    const count = BigInt(daysCount)
    return { amountMinor: (2n * sum + count) / (2n * count), daysCount }
  }

  #sum(day: IsoDate, counts: (movement: Movement) => boolean): bigint {
    let sum = 0n
    for (const movement of this.#byDay.get(day) ?? []) if (counts(movement)) sum += movement.amountMinor
    return sum
  }
}
