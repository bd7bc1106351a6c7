import { uuidv7 } from './ids.ts'

/** The moment at which a plan is made, and new ids that sort by it. */
export interface Clock {
  readonly now: Date
  readonly newId: () => string
}

export const clockOf = (now: Date): Clock => ({ now, newId: () => uuidv7(now.getTime()) })
