import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'

/**
 * The six digits that an authenticator shows for a base32 secret (of the `secret` of an `otpauth://` address).
 * @param stepsAhead -1 and 1 are the neighboring half minutes, also accepted; each half minute's code works once.
 */
export async function totp(base32Secret: string, stepsAhead = 0): Promise<string> {
  const secret = new TextDecoder().decode(base32.decode(base32Secret))
  const step = Math.floor(Date.now() / 30_000) + stepsAhead
  return createOTP(secret, { digits: 6, period: 30 }).hotp(step)
}

// `npm run totp -- SECRET [stepsAhead]`
if (import.meta.main) {
  const [secret = '', stepsAhead = '0'] = process.argv.slice(2)
  if (/^[A-Z2-7]{16,}=*$/i.test(secret) && /^-?\d+$/.test(stepsAhead))
    console.log(await totp(secret, Number(stepsAhead)))
  else {
    console.error(
      'npm run -s totp -- SECRET [HALF_MINUTES_AHEAD]: the base32 secret, as `npm start` shows the demo login’s or a totp_uri has it in `secret`',
    )
    process.exitCode = 1
  }
}
