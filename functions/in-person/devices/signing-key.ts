import { bytesOf } from '../../../src/kernel/base64.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export const signingKeyForm = /^[A-Za-z0-9_-]{87}$/
export const signatureForm = /^[A-Za-z0-9_-]{86}$/

/** The public key of a device; null where the bytes are no point of P-256. */
export const signingKeyOf = (text: string): Promise<CryptoKey | null> =>
  crypto.subtle.importKey('raw', bytesOf(text), algorithm, false, ['verify']).catch(() => null)

/** Whether the key has signed the text: ECDSA with SHA-256, 64 bytes of r and s in base64url. */
export const isSignedBy = (key: CryptoKey, signature: string, text: string): Promise<boolean> =>
  crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    bytesOf(signature),
    new TextEncoder().encode(text),
  )
