import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A passkey in software: one P-256 credential, attestation `none`, flags as asked. */
export class SoftwareAuthenticator {
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  readonly #credentialId = randomBytes(32)
  readonly #options: { rpId: string; origin: string; counter: number; userVerified: boolean }

  constructor(options: { rpId: string; origin: string; counter?: number; userVerified?: boolean }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#options = { counter: 0, userVerified: true, ...options }
    const { x, y } = publicKey.export({ format: 'jwk' })
    this.#publicKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ])
  }

  get credentialId(): string {
    return this.#credentialId.toString('base64url')
  }

  /** The counter of the next assertion; 0 stays 0, as with synced passkeys. */
  set counter(counter: number) {
    this.#options.counter = counter
  }

  set userVerified(userVerified: boolean) {
    this.#options.userVerified = userVerified
  }

  /** What `navigator.credentials.create(...).toJSON()` gives. */
  register(challenge: string) {
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.#credentialId.length)
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.#credentialId, this.#publicKey])
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', cborMap([])],
      ['authData', Buffer.concat([this.#authenticatorData(0x40), attested])],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** What `navigator.credentials.get(...).toJSON()` gives. */
  assert(challenge: string, changes: { origin?: string } = {}) {
    if (this.#options.counter > 0) this.#options.counter += 1
    const clientData = this.#clientData('webauthn.get', challenge, changes.origin)
    const authenticatorData = this.#authenticatorData(0)
    const signed = Buffer.concat([authenticatorData, sha256(clientData)])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
    })
  }

  #credential<Response>(response: Response) {
    const type = 'public-key' as const
    return { id: this.credentialId, rawId: this.credentialId, type, response, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, origin = this.#options.origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#options.counter)
    const userPresent = 0x01
    const userVerified = this.#options.userVerified ? 0x04 : 0
    return Buffer.concat([
      sha256(Buffer.from(this.#options.rpId)),
      Buffer.from([flags | userPresent | userVerified]),
      counter,
    ])
  }
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()

/**
 * CBOR (RFC 8949) of a registration's values: small integers, text, bytes; a value that is CBOR already goes in
 * unchanged.
 */
function cborMap(entries: [number | string, number | string | Buffer][]): Buffer {
  const encoded = entries.map(([key, value]) => Buffer.concat([cbor(key), cbor(value)]))
  return Object.assign(Buffer.concat([head(5, entries.length), ...encoded]), { isCbor: true })
}

function cbor(value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  return 'isCbor' in value ? value : Buffer.concat([head(2, value.length), value])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
