import { expect, test } from 'vitest'
import { isDecryptionKey, isVerificationKey } from '../../../src/attestation/play-integrity.ts'
import type { Expected, Statement } from '../../../src/attestation/port.ts'
import { sandboxText } from '../../../src/attestation/sandbox.ts'
import { verify } from '../../../src/attestation/verify.ts'
import {
  base64UrlOf,
  certificateDigest,
  newKeys,
  newPlayKeys,
  playPayload,
  playTokenOf,
  pointOf,
  signed,
} from '../../support/attestation.ts'

const app = 'com.example.pos'
const challenge = base64UrlOf(crypto.getRandomValues(new Uint8Array(32)))
const keys = await newPlayKeys()
const now = new Date()
const genuine = playPayload(app, challenge, now.getTime())

const said: Statement = {
  provider: 'play_integrity',
  app,
  challenge,
  key: null,
  statement: '',
  outcome: 'genuine',
}
const opens = { decryptionKey: keys.decryption_key, verificationKey: keys.verification_key }
const counts = { app, certificateDigests: ['cd'.repeat(32), certificateDigest], keys: opens }
const expected: Expected = { app: counts, known: undefined, isLive: true, now }

const outcome = async (payload: object, more: Partial<Expected> = {}, by = keys) => {
  const statement = await playTokenOf(by, payload)
  const verdict = await verify({ ...said, statement }, { ...expected, ...more })
  return verdict.state === 'failed' ? verdict.failure : verdict
}

test('a phone is verified by Google’s steps', async () => {
  const verified = { state: 'verified', environment: 'production', publicKey: null, signCount: null }
  expect(await outcome(genuine)).toEqual(verified)
  const padded = { ...genuine.requestDetails, nonce: `${challenge}=` }
  expect(await outcome({ ...genuine, requestDetails: padded })).toEqual(verified)
  const test = { ...genuine, testingDetails: { isTestingResponse: true } }
  expect(await outcome(test, { isLive: false })).toEqual({ ...verified, environment: 'development' })
})

type Part = 'requestDetails' | 'appIntegrity' | 'deviceIntegrity'
const changed = (part: Part, set: object) => ({ ...genuine, [part]: { ...genuine[part], ...set } })
const minutes = (ago: number) => String(now.getTime() - ago * 60_000)
const wrong: [string, object, string][] = [
  [
    'of another challenge',
    changed('requestDetails', { nonce: base64UrlOf(new Uint8Array(32)) }),
    'wrong_nonce',
  ],
  ['without a nonce', changed('requestDetails', { nonce: undefined }), 'wrong_nonce'],
  ['asked by another package', changed('requestDetails', { requestPackageName: 'com.other' }), 'wrong_app'],
  ['of six minutes ago', changed('requestDetails', { timestampMillis: minutes(6) }), 'too_old'],
  ['of two minutes ahead', changed('requestDetails', { timestampMillis: minutes(-2) }), 'too_old'],
  ['without a time', changed('requestDetails', { timestampMillis: undefined }), 'too_old'],
  [
    'of an app that Google Play does not know',
    changed('appIntegrity', { appRecognitionVerdict: 'UNRECOGNIZED_VERSION' }),
    'unrecognized_app',
  ],
  [
    'of an app that was not looked at',
    { ...genuine, appIntegrity: { appRecognitionVerdict: 'UNEVALUATED' } },
    'unrecognized_app',
  ],
  ['of another package', changed('appIntegrity', { packageName: 'com.other' }), 'wrong_app'],
  [
    'signed by a debug certificate',
    changed('appIntegrity', { certificateSha256Digest: [base64UrlOf(new Uint8Array(32))] }),
    'wrong_certificate',
  ],
  [
    'without a certificate',
    changed('appIntegrity', { certificateSha256Digest: undefined }),
    'wrong_certificate',
  ],
  [
    'of a phone that was opened',
    changed('deviceIntegrity', { deviceRecognitionVerdict: ['MEETS_BASIC_INTEGRITY'] }),
    'unverified_device',
  ],
  ['of no phone', { ...genuine, deviceIntegrity: {} }, 'unverified_device'],
  [
    'that is a test, in live',
    { ...genuine, testingDetails: { isTestingResponse: true } },
    'wrong_environment',
  ],
]
test.each(wrong)('a token fails %s', async (_what, payload, failure) => {
  expect(await outcome(payload)).toBe(failure)
})

test.each([
  [null, 'wrong_app'],
  ['a text', 'wrong_app'],
  [7, 'wrong_app'],
  [{ ...genuine, requestDetails: null }, 'wrong_app'],
  [changed('requestDetails', { nonce: 7 }), 'wrong_nonce'],
  [changed('requestDetails', { nonce: null }), 'wrong_nonce'],
  [changed('requestDetails', { timestampMillis: { valueOf: null, toString: null } }), 'too_old'],
  [changed('requestDetails', { timestampMillis: [genuine.requestDetails.timestampMillis] }), 'too_old'],
  [{ ...genuine, appIntegrity: null }, 'unrecognized_app'],
  [changed('appIntegrity', { certificateSha256Digest: 'a text' }), 'wrong_certificate'],
  [changed('appIntegrity', { certificateSha256Digest: [7, null] }), 'wrong_certificate'],
  [{ ...genuine, deviceIntegrity: null }, 'unverified_device'],
  [changed('deviceIntegrity', { deviceRecognitionVerdict: 'MEETS_DEVICE_INTEGRITY' }), 'unverified_device'],
])('a signed payload of another shape, %j, fails as %s', async (payload, failure) => {
  expect(await outcome(payload as object)).toBe(failure)
})

test('a token fails of an app that does not count, or under other keys', async () => {
  expect(await outcome(genuine, { app: undefined })).toBe('wrong_app')
  expect(await outcome(genuine, { app: { ...counts, keys: null } })).toBe('wrong_app')
  const others = await newPlayKeys()
  expect(await outcome(genuine, {}, others)).toBe('wrong_signature')
  expect(await outcome(genuine, {}, { ...others, secret: keys.secret })).toBe('wrong_signature')
  expect(await verify({ ...said, statement: 'no.token.at.all.' }, expected)).toMatchObject({
    failure: 'wrong_signature',
  })
})

test('keys of the Play Console have their form', async () => {
  expect(isDecryptionKey(keys.decryption_key)).toBe(true)
  expect(isDecryptionKey(keys.verification_key)).toBe(false)
  expect(await isVerificationKey(keys.verification_key)).toBe(true)
  expect(await isVerificationKey(keys.decryption_key)).toBe(false)
})

test('a phone of the sandbox proves its key, and says how the rest ends', async () => {
  const own = await newKeys()
  const key = base64UrlOf(await pointOf(own))
  const tell = async (more: Partial<Statement>, by = own) => {
    const text = { ...said, ...more, provider: 'sandbox' as const, key }
    const statement = await signed(by, sandboxText(text))
    return verify({ ...text, statement }, { ...expected, app: undefined })
  }
  expect(await tell({})).toMatchObject({ state: 'verified', publicKey: key })
  expect(await tell({ outcome: 'unverified_device' })).toMatchObject({ failure: 'unverified_device' })
  expect(await tell({}, await newKeys())).toMatchObject({ failure: 'wrong_signature' })
  const other = {
    ...said,
    provider: 'sandbox' as const,
    key,
    statement: await signed(own, `${challenge}.${app}.genuine`),
  }
  expect(await verify({ ...other, challenge: 'another' }, expected)).toMatchObject({
    failure: 'wrong_signature',
  })
  expect(await verify({ ...other, app: 'com.other' }, expected)).toMatchObject({ failure: 'wrong_signature' })
  expect(await verify({ ...other, key: null }, expected)).toMatchObject({ failure: 'wrong_signature' })
  expect(await verify({ ...other, key: '*' }, expected)).toMatchObject({ failure: 'malformed' })
})

test('a key of the sandbox is a point of 65 bytes, however its base64 is written', async () => {
  const own = await newKeys()
  const point = await pointOf(own)
  const text = {
    ...said,
    provider: 'sandbox' as const,
    statement: await signed(own, `${challenge}.${app}.genuine`),
  }
  const padded = `${base64UrlOf(point).replaceAll('-', '+').replaceAll('_', '/')}=`
  expect(await verify({ ...text, key: padded }, expected)).toMatchObject({
    state: 'verified',
    publicKey: base64UrlOf(point),
  })
  const compressed = base64UrlOf(Uint8Array.of(2 + (point[64]! % 2), ...point.subarray(1, 33)))
  expect(await verify({ ...text, key: compressed }, expected)).toMatchObject({ failure: 'malformed' })
})
