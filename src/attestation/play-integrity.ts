import { compactDecrypt, compactVerify, importSPKI } from 'jose'
import { base64UrlOf, bytesOf, hexOf } from './bytes.ts'
import { type Expected, failed, type KnownApp, type Statement, type Verdict } from './port.ts'

/** How long after its making a token is taken, and how far its clock may be ahead of ours. */
export const tokenMinutes = 5
const aheadMs = 60_000

/** A part of what was signed by any shape of JSON: the fields of an object, else none. */
type Part = Readonly<Record<string, unknown>>
const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {})
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** A token of a classic request, opened here with the keys that the Play Console gave for the app. */
export async function verifyPlayIntegrity(
  { statement, challenge }: Statement,
  { app, isLive, now }: Expected,
): Promise<Verdict> {
  if (!app?.keys) return failed('wrong_app')
  const payload = await opened(statement, app.keys)
  if (payload === null) return failed('wrong_signature')
  const [asked, of] = [partOf(payload.requestDetails), partOf(payload.appIntegrity)]
  const device = partOf(payload.deviceIntegrity)
  if (asked.requestPackageName !== app.app) return failed('wrong_app')
  if (asNonce(asked.nonce) !== challenge) return failed('wrong_nonce')
  const age = now.getTime() - asMillis(asked.timestampMillis)
  if (!(age <= tokenMinutes * 60_000 && age >= -aheadMs)) return failed('too_old')
  if (of.appRecognitionVerdict !== 'PLAY_RECOGNIZED') return failed('unrecognized_app')
  if (of.packageName !== app.app) return failed('wrong_app')
  const digests = textsOf(of.certificateSha256Digest).map(asHex)
  if (!digests.some((digest) => app.certificateDigests.includes(digest))) return failed('wrong_certificate')
  if (!textsOf(device.deviceRecognitionVerdict).includes('MEETS_DEVICE_INTEGRITY'))
    return failed('unverified_device')
  const isTest = partOf(payload.testingDetails).isTestingResponse === true
  if (isTest && isLive) return failed('wrong_environment')
  return {
    state: 'verified',
    environment: isTest ? 'development' : 'production',
    publicKey: null,
    signCount: null,
  }
}

/** The payload of a token; null where these keys do not open it, or have not signed it. */
async function opened(
  token: string,
  { decryptionKey, verificationKey }: NonNullable<KnownApp['keys']>,
): Promise<Part | null> {
  try {
    const key = await importSPKI(pemOf(verificationKey), 'ES256')
    const { plaintext } = await compactDecrypt(token, bytesOf(decryptionKey)!, {
      keyManagementAlgorithms: ['A256KW'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    const { payload } = await compactVerify(plaintext, key, { algorithms: ['ES256'] })
    return partOf(JSON.parse(new TextDecoder().decode(payload)))
  } catch {
    return null
  }
}

const pemOf = (base64: string) => `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`

/** In base64url, padded or not. */
const asNonce = (nonce: unknown) => {
  const bytes = typeof nonce === 'string' ? bytesOf(nonce) : null
  return bytes && base64UrlOf(bytes)
}

const asMillis = (time: unknown) =>
  typeof time === 'string' || typeof time === 'number' ? Number(time) : Number.NaN

const asHex = (digest: string) => {
  const bytes = bytesOf(digest)
  return bytes ? hexOf(bytes) : ''
}

/** Whether this is an AES key of 256 bits in base64, as the Play Console gives it. */
export const isDecryptionKey = (base64: string): boolean => bytesOf(base64)?.length === 32

/** Whether this is a public key of P-256 in base64, as the Play Console gives it. */
export const isVerificationKey = (base64: string): Promise<boolean> =>
  importSPKI(pemOf(base64), 'ES256').then(
    () => true,
    () => false,
  )
