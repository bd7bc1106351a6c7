import { type CBORType, decodeCBOR } from '@levischuck/tiny-cbor'
import { AsnEcSignatureFormatter, BasicConstraintsExtension, X509Certificate } from '@peculiar/x509'
import { type Bytes, base64UrlOf, bytesOf, isSame, isSignedBy, joined, sha256, utf8 } from './bytes.ts'
import { type Expected, failed, type Statement, type Verdict } from './port.ts'

// The steps of Apple's "Validating apps that connect to your server", in their order.

const nonceExtension = '1.2.840.113635.100.8.2'
/** A sequence of one octet string of 32 bytes under the tag 1, as DER has it. */
const nonceHeader = Uint8Array.of(0x30, 0x24, 0xa1, 0x22, 0x04, 0x20)
const environments = {
  production: joined(utf8('appattest'), new Uint8Array(7)),
  development: utf8('appattestdevelop'),
} as const

/**
 * An attestation of a new key, or an assertion by one that was attested before.
 * @param root the certificate of the authority that signs Apple's, as PEM
 */
export async function verifyAppAttest(said: Statement, expected: Expected, root: string): Promise<Verdict> {
  const object = decoded(said.statement)
  if (!object) return failed('malformed')
  return object.has('fmt') ? attested(object, said, expected, root) : asserted(object, said, expected)
}

function decoded(base64: string): ReadonlyMap<CBORType, CBORType> | null {
  const bytes = bytesOf(base64)
  try {
    const value = bytes && decodeCBOR(new DataView(bytes.buffer))
    return value instanceof Map ? value : null
  } catch {
    return null
  }
}

const isBytes = (value: CBORType | undefined): value is Bytes => value instanceof Uint8Array

/** What a phone signs of a challenge. */
const clientDataHash = ({ challenge }: Statement) => sha256(utf8(challenge))

const appHash = ({ app }: Statement) => sha256(utf8(app))

async function attested(
  object: ReadonlyMap<CBORType, CBORType>,
  said: Statement,
  { app, known, isLive, now }: Expected,
  root: string,
): Promise<Verdict> {
  const statement = object.get('attStmt')
  const authData = object.get('authData')
  const chain = statement instanceof Map ? certificatesOf(statement.get('x5c')) : null
  if (object.get('fmt') !== 'apple-appattest' || !chain || !isBytes(authData)) return failed('malformed')
  const data = parsed(authData)
  if (!data) return failed('malformed')
  const broken = await problemOfChain([...chain, new X509Certificate(root)], now).catch(unreadable)
  if (broken) return failed(broken)
  const [leaf] = chain
  const nonce = await sha256(joined(authData, await clientDataHash(said)))
  const shown = leaf.getExtension(nonceExtension)?.value
  if (!shown || !isSame(new Uint8Array(shown), joined(nonceHeader, nonce))) return failed('wrong_nonce')
  const point = await pointOf(leaf)
  const keyId = await sha256(point)
  if (!isSame(keyId, bytesOf(said.key ?? '') ?? new Uint8Array())) return failed('wrong_key')
  if (!app || !isSame(data.appHash, await appHash(said))) return failed('wrong_app')
  if (data.signCount !== 0 || known) return failed('wrong_counter')
  const environment = isSame(data.aaguid, environments.production)
    ? 'production'
    : isSame(data.aaguid, environments.development)
      ? 'development'
      : null
  if (!environment || (isLive && environment === 'development')) return failed('wrong_environment')
  if (!isSame(data.credentialId, keyId)) return failed('wrong_key')
  return { state: 'verified', environment, publicKey: base64UrlOf(point), signCount: 0 }
}

/** Each part of a certificate is parsed when it is asked for, and a phone may send anything as one. */
const unreadable = () => 'malformed' as const

/** The certificate of the key, and the one that signed it. */
function certificatesOf(x5c: CBORType | undefined): [X509Certificate, X509Certificate] | null {
  if (!Array.isArray(x5c) || x5c.length !== 2 || !x5c.every(isBytes)) return null
  try {
    return [new X509Certificate(x5c[0] as Bytes), new X509Certificate(x5c[1] as Bytes)]
  } catch {
    return null
  }
}

/** Each is signed by the next, which may sign certificates; the last is its own authority. */
async function problemOfChain(chain: readonly X509Certificate[], now: Date) {
  for (const [at, certificate] of chain.entries()) {
    const issuer = chain[at + 1] ?? certificate
    const isSigned =
      certificate.issuer === issuer.subject &&
      issuer.getExtension(BasicConstraintsExtension)?.ca === true &&
      (await certificate.verify({ publicKey: issuer.publicKey, signatureOnly: true }).catch(() => false))
    if (!isSigned) return 'untrusted_chain' as const
  }
  const isOver = chain.some(({ notBefore, notAfter }) => now < notBefore || now > notAfter)
  return isOver ? ('expired_certificate' as const) : null
}

/** The key of a certificate as an uncompressed point: what its id is the digest of. */
async function pointOf(certificate: X509Certificate): Promise<Bytes> {
  const key = await certificate.publicKey.export({ name: 'ECDSA', namedCurve: 'P-256' }, ['verify'])
  return new Uint8Array(await crypto.subtle.exportKey('raw', key))
}

/** The authenticator data of an attestation: 37 bytes as in an assertion, then the key that it is of. */
function parsed(authData: Bytes) {
  const head = headOf(authData)
  const idLength =
    authData.length >= 55 ? new DataView(authData.buffer, authData.byteOffset).getUint16(53) : 0
  if (!head || idLength !== 32 || authData.length < 87) return null
  return { ...head, aaguid: authData.subarray(37, 53), credentialId: authData.subarray(55, 87) }
}

const headOf = (authData: Bytes) =>
  authData.length < 37
    ? null
    : {
        appHash: authData.subarray(0, 32),
        signCount: new DataView(authData.buffer, authData.byteOffset).getUint32(33),
      }

async function asserted(
  object: ReadonlyMap<CBORType, CBORType>,
  said: Statement,
  { app, known }: Expected,
): Promise<Verdict> {
  const [signature, authData] = [object.get('signature'), object.get('authenticatorData')]
  const head = isBytes(authData) ? headOf(authData) : null
  if (!isBytes(signature) || !isBytes(authData) || !head) return failed('malformed')
  if (!known?.isOfPairing) return failed('wrong_key')
  const nonce = await sha256(joined(authData, await clientDataHash(said)))
  const raw = rawOf(signature)
  if (!raw || !(await isSignedBy(bytesOf(known.publicKey)!, raw, nonce))) return failed('wrong_signature')
  if (!app || !isSame(head.appHash, await appHash(said))) return failed('wrong_app')
  if (head.signCount <= known.signCount) return failed('wrong_counter')
  const { publicKey, environment } = known
  return { state: 'verified', environment, publicKey, signCount: head.signCount }
}

/** A signature in DER as r and s. */
function rawOf(signature: Bytes): Bytes | null {
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' }
  try {
    return new Uint8Array(new AsnEcSignatureFormatter().toWebSignature(ecdsa, signature)!)
  } catch {
    return null
  }
}
