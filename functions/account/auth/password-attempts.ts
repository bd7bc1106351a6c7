import { Problem } from '../../../src/http/problems.ts'
import { networkOf } from '../../../src/kernel/network.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import type { IdentityAccess } from './access.ts'
import type { Session } from './session.ts'

/** A password that a call offers, with the account and network that it is counted for. */
export type Offer = {
  readonly account: string
  readonly network: string
  /** Marks the account's password before the check; null where it has none. */
  readonly mark: string | null
}

type Offering = {
  readonly body: unknown
  readonly headers: Headers
  /** The calling session; null at sign-in. */
  readonly session: Session | null
}

/**
 * Counts a password before it is checked; null where a call offers none. All attempts from sessions count as one
 * network, so that an attacker with a stolen session gains no guesses by changing networks. One round trip.
 * @throws Problem when there were too many
 */
export async function admitPassword(access: IdentityAccess, offering: Offering): Promise<Offer | null> {
  const {
    email,
    password,
    current_password: currentPassword,
  } = (offering.body ?? {}) as Record<string, string | undefined>
  const { session, headers } = offering
  const of = session ? session.email : email
  if (of === undefined || (password === undefined && currentPassword === undefined)) return null
  const account = await sha256Hex(of.toLowerCase())
  const network = session ? 'session' : networkOf(headers.get('cf-connecting-ip') ?? 'local')
  const [row] = await access.sql(admit, [account, network, of.toLowerCase()])
  const waitSeconds = Number(row?.wait)
  if (waitSeconds > 0) throw new Problem('rate_limited', { headers: { 'Retry-After': String(waitSeconds) } })
  return { account, network, mark: markIn(row) }
}

/** A mark of an account's password: it differs after each change, and does not help to guess the password. */
export const passwordMark = (userId: string) =>
  `(select md5(a.password) from accounts a where a.user_id = ${userId}) as mark`

export const markIn = (row: Record<string, unknown> | undefined): string | null =>
  typeof row?.mark === 'string' ? row.mark : null

const admit = `
  select admit_password($1, $2) as wait, ${passwordMark('(select u.id from users u where u.email = $3)')}`

const wasRight = `
  update password_attempts set attempts = 0, proved_at = now() where account = $1 and network = $2`

/** The password was right: resets the count, and records that this network knows the password. */
export async function passwordWasRight(access: IdentityAccess, { account, network }: Offer): Promise<void> {
  await access.sql(wasRight, [account, network])
}
