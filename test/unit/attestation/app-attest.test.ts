import { X509Certificate } from '@peculiar/x509'
import { expect, test } from 'vitest'
import { verifyAppAttest } from '../../../src/attestation/app-attest.ts'
import { appleRoot } from '../../../src/attestation/apple-root.ts'
import { base64UrlOf, hexOf, sha256 } from '../../../src/attestation/bytes.ts'
import type { Expected, KnownKey, Statement } from '../../../src/attestation/port.ts'
import {
  type Attesting,
  aaguids,
  assertionOf,
  attestationOf,
  base64Of,
  newAuthority,
  newKeys,
  pointOf,
} from '../../support/attestation.ts'
import { published } from './published.ts'

const app = 'TEAM123456.com.example.pos'
const other = 'TEAM654321.com.example.pos'
const challenge = 'a-challenge-of-this-phone'
const root = await newAuthority('Root of the test')
const signer = await newAuthority('CA of the test', root)
const keys = await newKeys()
const point = await pointOf(keys)
const key = base64Of(await sha256(point))
const rootPem = root.certificate.toString('pem')

const known: KnownKey = {
  isOfPairing: true,
  publicKey: base64UrlOf(point),
  signCount: 3,
  environment: 'production',
}
const expected = (more: Partial<Expected> = {}): Expected => ({
  app: { app, certificateDigests: [], keys: null },
  known: undefined,
  isLive: true,
  now: new Date(),
  ...more,
})
const said = (statement: string, more: Partial<Statement> = {}): Statement => ({
  provider: 'app_attest',
  app,
  challenge,
  key,
  statement,
  outcome: 'genuine',
  ...more,
})

type Change = {
  attesting?: Partial<Attesting>
  said?: Partial<Statement>
  expected?: Partial<Expected>
  root?: string
}
const outcome = async (change: Change) => {
  const object = await attestationOf({ app, challenge, keys, signer, ...change.attesting })
  const verdict = await verifyAppAttest(
    said(object, change.said),
    expected(change.expected),
    change.root ?? rootPem,
  )
  return verdict.state === 'failed' ? verdict.failure : verdict
}

test('a phone is verified by Apple’s steps', async () => {
  expect(await outcome({})).toEqual({
    state: 'verified',
    environment: 'production',
    publicKey: base64UrlOf(point),
    signCount: 0,
  })
  const development = { aaguid: aaguids.development }
  expect(await outcome({ attesting: development, expected: { isLive: false } })).toMatchObject({
    environment: 'development',
  })
})

const others = await newKeys()
const otherId = await sha256(await pointOf(others))
const strange = await newAuthority('Root of the test')
const leafAsCa = await newAuthority('CA of the test', root, false)
const past = new Date(Date.now() - 1_000)
const soon = new Date(Date.now() + 60_000)

/** A certificate that is read until its basic constraints are: these are no sequence any more. */
const unreadable = (certificate: X509Certificate) => {
  const bytes = [...new Uint8Array(certificate.rawData)]
  const at = bytes.findIndex((_, i) => [0x30, 3, 1, 1, 0xff].every((byte, n) => bytes[i + n] === byte))
  return new X509Certificate(Uint8Array.from(bytes.with(at, 2)))
}
const ofNoAuthority = { certificate: unreadable(signer.certificate), keys: signer.keys }
const ofNoRoot = { certificate: unreadable(new X509Certificate(appleRoot)), keys: others }

const wrong: [string, Change, string][] = [
  ['under a certificate that cannot be read', { attesting: { signer: ofNoAuthority } }, 'malformed'],
  ['under Apple’s root with a byte changed', { attesting: { signer: ofNoRoot } }, 'malformed'],
  ['of another challenge', { attesting: { challenge: 'another-challenge' } }, 'wrong_nonce'],
  ['of another team', { attesting: { app: other } }, 'wrong_app'],
  ['of an app that does not count', { expected: { app: undefined } }, 'wrong_app'],
  ['under another root', { root: strange.certificate.toString('pem') }, 'untrusted_chain'],
  ['by who may not certify', { attesting: { signer: leafAsCa } }, 'untrusted_chain'],
  [
    'by who only bears the name of Apple’s authority',
    { attesting: { signer: { certificate: signer.certificate, keys: others } } },
    'untrusted_chain',
  ],
  ['by a certificate that is over', { attesting: { until: past } }, 'expired_certificate'],
  ['by a certificate that has not begun', { attesting: { from: soon } }, 'expired_certificate'],
  ['whose key has signed before', { attesting: { signCount: 1 } }, 'wrong_counter'],
  ['of a key that was attested before', { expected: { known } }, 'wrong_counter'],
  [
    'of a key that was attested in an earlier pairing',
    { expected: { known: { ...known, isOfPairing: false } } },
    'wrong_counter',
  ],
  ['built for development, in live', { attesting: { aaguid: aaguids.development } }, 'wrong_environment'],
  ['of no environment', { attesting: { aaguid: new Uint8Array(16) } }, 'wrong_environment'],
  ['under another id of the key', { said: { key: base64Of(otherId) } }, 'wrong_key'],
  ['without an id of the key', { said: { key: null } }, 'wrong_key'],
  ['whose credential is another key', { attesting: { credentialId: otherId } }, 'wrong_key'],
  ['in another format', { attesting: { format: 'apple' } }, 'malformed'],
]
test.each(wrong)('an attestation fails %s', async (_what, change, failure) => {
  expect(await outcome(change)).toBe(failure)
})

test.each(['****************', 'AAAAAAAAAAAAAAAA', 'oWNmbXRvYXBwbGUtYXBwYXR0ZXN0', ''])(
  '%j is no attestation',
  async (statement) => {
    const verdict = await verifyAppAttest(said(statement), expected(), rootPem)
    expect(verdict).toEqual({ state: 'failed', failure: 'malformed' })
  },
)

const asserted = async (
  asserting: Partial<Parameters<typeof assertionOf>[0]>,
  more: Partial<Expected> = { known },
) => {
  const object = await assertionOf({ app, challenge, keys, signCount: 4, ...asserting })
  const verdict = await verifyAppAttest(said(object), expected(more), rootPem)
  return verdict.state === 'failed' ? verdict.failure : verdict
}

test('a key that was attested asserts', async () => {
  expect(await asserted({})).toEqual({
    state: 'verified',
    environment: 'production',
    publicKey: base64UrlOf(point),
    signCount: 4,
  })
})

const wrongly: [string, Parameters<typeof asserted>[0], Partial<Expected>, string][] = [
  ['of another challenge', { challenge: 'another-challenge' }, { known }, 'wrong_signature'],
  ['by another key', { keys: others }, { known }, 'wrong_signature'],
  ['by a key that was not attested', {}, {}, 'wrong_key'],
  ['by a key of an earlier pairing', {}, { known: { ...known, isOfPairing: false } }, 'wrong_key'],
  ['of another app', { app: other }, { known }, 'wrong_app'],
  ['of an app that does not count any more', {}, { known, app: undefined }, 'wrong_app'],
  ['that was counted before', { signCount: 3 }, { known }, 'wrong_counter'],
]
test.each(wrongly)('an assertion fails %s', async (_what, asserting, more, failure) => {
  expect(await asserted(asserting, more)).toBe(failure)
})

test('the root is Apple’s, by its published fingerprint', async () => {
  const { rawData, subject } = new X509Certificate(appleRoot)
  expect(subject).toContain('CN=Apple App Attestation Root CA')
  expect(hexOf(await sha256(new Uint8Array(rawData)))).toBe(
    '1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932',
  )
})

test('what an iPhone sent is verified under Apple’s root: an attestation, and an assertion by its key', async () => {
  const { at: now, attestation, assertion, ...phone } = published
  const counts = { app: { app: phone.app, certificateDigests: [], keys: null }, isLive: false, now }
  const attested = await verifyAppAttest(said(attestation, phone), expected(counts), appleRoot)
  expect(attested).toMatchObject({ state: 'verified', environment: 'development', signCount: 0 })
  const { publicKey } = attested as { publicKey: string }
  const last: KnownKey = { isOfPairing: true, publicKey, signCount: 0, environment: 'development' }
  const again = await verifyAppAttest(said(assertion, phone), expected({ ...counts, known: last }), appleRoot)
  expect(again).toEqual({ state: 'verified', environment: 'development', publicKey, signCount: 1 })
  for (const [change, failure] of [
    [{ isLive: true }, 'wrong_environment'],
    [{ now: new Date() }, 'expired_certificate'],
  ] as const)
    expect(
      await verifyAppAttest(said(attestation, phone), expected({ ...counts, ...change }), appleRoot),
    ).toEqual({
      state: 'failed',
      failure,
    })
})
