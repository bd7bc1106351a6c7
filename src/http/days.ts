import * as z from 'zod'
import { addDays, daysBetween, type IsoDate, mexicoCityDate, mexicoCityInstant } from '../kernel/bank-days.ts'
import type { Call } from './operation.ts'

/** A day in a request. Postgres has no year 0. */
export const day = z.iso.date().refine((text) => text >= '1900', 'must not lie before 1900')

export const daysReversed = 'A report must not end before it begins.'

interface Asked {
  readonly begins_on?: IsoDate | undefined
  readonly ends_on?: IsoDate | undefined
}

/** How many days a report may have, and how many it has without dates. */
export interface DaysAllowed {
  readonly daysMax: number
  readonly daysUsual: number
}

/** The asked days in Mexico City, both included, and the moments between which they lie. The last is today where none is named. */
export function daysAsked(
  { begins_on, ends_on }: Asked,
  { now, fail }: Pick<Call<unknown, unknown, unknown, unknown>, 'now' | 'fail'>,
  { daysMax, daysUsual }: DaysAllowed,
) {
  const endsOn = ends_on ?? mexicoCityDate(now)
  if (endsOn < '2024' || endsOn > '2098')
    fail('parameter_invalid', { param: 'ends_on', message: 'A report has days from 2024 to 2098.' })
  const beginsOn = begins_on ?? addDays(endsOn, 1 - daysUsual)
  const days = daysBetween(beginsOn, endsOn) + 1
  if (days < 1) fail('parameter_invalid', { param: 'begins_on', message: daysReversed })
  if (days > daysMax)
    fail('parameter_invalid', { param: 'begins_on', message: `A report has at most ${daysMax} days.` })
  return {
    beginsOn,
    endsOn,
    begins: mexicoCityInstant(beginsOn, '00:00'),
    ends: mexicoCityInstant(addDays(endsOn, 1), '00:00'),
  }
}
