import { mulberry32 } from '../support/random.ts'

/** In the suite an attack is one short round; `npm run attack -- --minutes 60` goes on for that long. */
const minutes = Number(process.env.ATTACK_MINUTES ?? 0)
const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))

export const isLong = minutes > 0
export const random = mulberry32(seed)
/** A round that has begun in time is ended, on a busy machine too. */
export const timeoutMs = isLong ? minutes * 60_000 + 1_200_000 : 300_000

/**
 * Runs rounds until the time is over, at least one; each gets its number. Attacks that run one after the other in a file
 * share its time: each goes on for `1 / sharedBy` of it.
 */
export async function rounds(
  name: string,
  round: (number: number) => Promise<void>,
  { sharedBy = 1 } = {},
): Promise<number> {
  console.log(`${name}: SEED=${seed}, ${isLong ? `${minutes / sharedBy} minutes` : 'one round'}`)
  const endsAtMs = Date.now() + (minutes / sharedBy) * 60_000
  for (let number = 1; ; number++) {
    await round(number)
    if (Date.now() >= endsAtMs) return number
  }
}
