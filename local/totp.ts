import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'

/**
 * The six digits that an authenticator shows for a base32 secret (of the `secret` of an `otpauth://` address).
 * @param stepsAhead -1 and 1 are the neighbouring half minutes, which are accepted too; each half minute counts once.
 */
export async function totp(base32Secret: string, stepsAhead = 0): Promise<string> {
  const secret = new TextDecoder().decode(base32.decode(base32Secret))
  const step = Math.floor(Date.now() / 30_000) + stepsAhead
  return createOTP(secret, { digits: 6, period: 30 }).hotp(step)
}

// `npm run totp -- SECRET [stepsAhead]`
if (import.meta.main) console.log(await totp(process.argv[2] ?? '', Number(process.argv[3] ?? 0)))
