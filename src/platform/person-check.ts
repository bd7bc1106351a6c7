import type { PersonCheckSettings } from '../env/outside.ts'
import { Fault } from '../kernel/fault.ts'

/** What a solved widget is for: it opens nothing else. */
export interface PersonAsked {
  /** What the widget wrote into the form: at most 2,048 characters, valid for five minutes. */
  readonly token: string
  /** The widget's `data-action` and `data-cdata`. */
  readonly action: string
  readonly cdata: string
  /** The form: one that is sent twice is checked twice, and the token counts once. */
  readonly form: string
}

/** What it says of our request, not of the buyer. */
const oursToMend: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
  'internal-error',
])

const tokenLengthMax = 2_048
const timeoutMs = 5_000

/**
 * Whether Cloudflare Turnstile takes the buyer for a person. It takes each token once, and again under the same
 * `idempotency_key` (developers.cloudflare.com/turnstile/get-started/server-side-validation). No answer is a no; `onTrouble`
 * hears of it, and of a refusal that is no buyer's fault.
 */
export async function isPerson(
  { base, secretKey }: PersonCheckSettings,
  { token, action, cdata, form }: PersonAsked,
  onTrouble: (reason: unknown) => void = () => {},
): Promise<boolean> {
  if (token === '' || token.length > tokenLengthMax) return false
  const body = { secret: secretKey, response: token, idempotency_key: await uuidOf(form) }
  try {
    const response = await fetch(`${base}/turnstile/v0/siteverify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const said: unknown = await response.json()
    if (typeof said !== 'object' || said === null) return false
    const { success, action: ofAction, cdata: ofCdata, ...more } = said as Readonly<Record<string, unknown>>
    const ours = ([] as unknown[]).concat(more['error-codes'] ?? []).find((code) => oursToMend.has(code))
    if (ours !== undefined) onTrouble(new Fault(`Turnstile refuses us: ${ours}`))
    return success === true && ofAction === action && ofCdata === cdata
  } catch (error) {
    onTrouble(error)
    return false
  }
}

/** The same UUID for the same text, in the form of version 4. */
async function uuidOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).slice(
    0,
    16,
  )
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
