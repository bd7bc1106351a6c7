import { encodeCBOR } from '@levischuck/tiny-cbor'
import {
  AsnEcSignatureFormatter,
  BasicConstraintsExtension,
  Extension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { CompactEncrypt, CompactSign } from 'jose'
import { base64UrlOf, bytesOf, joined, sha256, utf8 } from '../../src/attestation/bytes.ts'

/** What Apple and Google would say of a phone, said by authorities of the test. */

const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 86_400_000

export interface Keys {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

export const newKeys = async () => (await crypto.subtle.generateKey(p256, true, ['sign', 'verify'])) as Keys
export const pointOf = async ({ publicKey }: Keys) =>
  new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
export const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

export interface Authority {
  readonly keys: Keys
  readonly certificate: X509Certificate
}

let serial = 1
const certificateOf = (
  subject: string,
  keys: Keys,
  issuer: { readonly name: string; readonly keys: Keys },
  more: { readonly from?: Date; readonly until?: Date; readonly extensions: Extension[] },
) =>
  X509CertificateGenerator.create({
    serialNumber: (serial++).toString(16).padStart(4, '0'),
    subject,
    issuer: issuer.name,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: p256,
    notBefore: more.from ?? new Date(Date.now() - day),
    notAfter: more.until ?? new Date(Date.now() + day),
    extensions: more.extensions,
  })

/** An authority for certificates under another, or its own. */
export async function newAuthority(name: string, above?: Authority, mayCertify = true): Promise<Authority> {
  const keys = await newKeys()
  const subject = `CN=${name}`
  const issuer = above ? { name: above.certificate.subject, keys: above.keys } : { name: subject, keys }
  const extensions = [new BasicConstraintsExtension(mayCertify, undefined, true)]
  return { keys, certificate: await certificateOf(subject, keys, issuer, { extensions }) }
}

export const aaguids = {
  production: joined(utf8('appattest'), new Uint8Array(7)),
  development: utf8('appattestdevelop'),
}

const dataOf = async (app: string, signCount: number, rest = new Uint8Array()) => {
  const counter = new Uint8Array(4)
  new DataView(counter.buffer).setUint32(0, signCount)
  return joined(await sha256(utf8(app)), Uint8Array.of(0x40), counter, rest)
}

export interface Attesting {
  readonly app: string
  readonly challenge: string
  readonly keys: Keys
  readonly signer: Authority
  readonly signCount?: number
  readonly aaguid?: Uint8Array
  readonly credentialId?: Uint8Array
  readonly until?: Date
  readonly from?: Date
  readonly format?: string
}

/** An attestation object as App Attest makes it, in base64. */
export async function attestationOf(asked: Attesting): Promise<string> {
  const { app, challenge, keys, signer, signCount = 0, aaguid = aaguids.production } = asked
  const credentialId = asked.credentialId ?? (await sha256(await pointOf(keys)))
  const length = Uint8Array.of(0, credentialId.length)
  const authData = await dataOf(app, signCount, joined(aaguid, length, credentialId))
  const nonce = await sha256(joined(authData, await sha256(utf8(challenge))))
  const shown = joined(Uint8Array.of(0x30, 0x24, 0xa1, 0x22, 0x04, 0x20), nonce)
  const leaf = await certificateOf(
    'CN=key',
    keys,
    { name: signer.certificate.subject, keys: signer.keys },
    { ...asked, extensions: [new Extension('1.2.840.113635.100.8.2', false, shown)] },
  )
  const x5c = [leaf, signer.certificate].map(({ rawData }) => new Uint8Array(rawData))
  const object = new Map<string, never>(
    Object.entries({
      fmt: asked.format ?? 'apple-appattest',
      attStmt: new Map<string, unknown>([
        ['x5c', x5c],
        ['receipt', new Uint8Array(3)],
      ]),
      authData,
    }) as [string, never][],
  )
  return base64Of(encodeCBOR(object))
}

/** An assertion by a key that was attested, in base64. */
export async function assertionOf({
  app,
  challenge,
  keys,
  signCount,
}: Pick<Attesting, 'app' | 'challenge' | 'keys'> & { readonly signCount: number }): Promise<string> {
  const authenticatorData = await dataOf(app, signCount)
  const nonce = await sha256(joined(authenticatorData, await sha256(utf8(challenge))))
  const raw = await crypto.subtle.sign(p256, keys.privateKey, nonce)
  const signature = new Uint8Array(new AsnEcSignatureFormatter().toAsnSignature(p256, raw)!)
  return base64Of(
    encodeCBOR(
      new Map([
        ['signature', signature],
        ['authenticatorData', authenticatorData],
      ]),
    ),
  )
}

/** The two keys of an app at the Play Console, and what signs and encrypts with them. */
export async function newPlayKeys() {
  const keys = await newKeys()
  const secret = crypto.getRandomValues(new Uint8Array(32))
  return {
    keys,
    secret,
    decryption_key: base64Of(secret),
    verification_key: base64Of(new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey))),
  }
}
export type PlayKeys = Awaited<ReturnType<typeof newPlayKeys>>

export const certificateDigest = 'ab'.repeat(32)
const digestBytes = Uint8Array.from({ length: 32 }, () => 0xab)

/** What Google Play says of a phone that is as it should be. */
export const playPayload = (app: string, challenge: string, at = Date.now()) => ({
  requestDetails: { requestPackageName: app, nonce: challenge, timestampMillis: String(at) },
  appIntegrity: {
    appRecognitionVerdict: 'PLAY_RECOGNIZED',
    packageName: app,
    certificateSha256Digest: [base64UrlOf(digestBytes)],
    versionCode: '42',
  },
  deviceIntegrity: { deviceRecognitionVerdict: ['MEETS_BASIC_INTEGRITY', 'MEETS_DEVICE_INTEGRITY'] },
})

/** A token of Play Integrity. */
export async function playTokenOf({ keys, secret }: PlayKeys, payload: object): Promise<string> {
  const signed = await new CompactSign(utf8(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256' })
    .sign(keys.privateKey)
  return new CompactEncrypt(utf8(signed))
    .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM' })
    .encrypt(secret)
}

/** What a phone of the sandbox signs. */
export async function signed(keys: Keys, text: string): Promise<string> {
  return base64UrlOf(new Uint8Array(await crypto.subtle.sign(p256, keys.privateKey, utf8(text))))
}

export { base64UrlOf, bytesOf, sha256 }
