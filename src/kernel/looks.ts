/** A Worker that died in the middle of a call outside is given this long before a janitor looks. */
export const callLeaseMs = 60_000

const firstMs = 3_000
const longestMs = 3_600_000
const dayMs = 86_400_000
const watchDays = 5

/** When a janitor looks again at what the outside does not tell: after 3 s, and ever later, up to an hour. */
export const nextLook = (checksCount: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(firstMs * 2 ** checksCount, longestMs))

/** When a bank is asked for the first time whether what it paid was sent back. */
export const firstWatch = (now: Date): Date => new Date(now.getTime() + dayMs)

/** The day after, for five days; then null: what was paid is taken for good. `checksCount`: this look included. */
export const nextWatch = (checksCount: number, now: Date): Date | null =>
  checksCount < watchDays ? firstWatch(now) : null
