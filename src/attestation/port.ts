import type { AttestationFailure, AttestationProvider } from '../../drizzle/schema/devices.ts'

/** What a phone sends to prove itself, each part a text as its platform makes it. */
export interface Statement {
  readonly provider: AttestationProvider
  /** Which app it says that it is: a team and a bundle between a dot, or a package. */
  readonly app: string
  /** The challenge that it was given; its platform signs it. */
  readonly challenge: string
  /** App Attest: the id of the key in base64. Sandbox: the public key, a point of P-256 in base64url. */
  readonly key: string | null
  /** An attestation object or an assertion in base64, a token of Play Integrity, or a signature in base64url. */
  readonly statement: string
  /** Sandbox: how it shall end. */
  readonly outcome: 'genuine' | AttestationFailure
}

/** What the workspace says of an app that counts. The keys are those of Play Integrity, in the clear. */
export interface KnownApp {
  readonly app: string
  /** SHA-256 of the certificates that sign it, lowercase hex. */
  readonly certificateDigests: readonly string[]
  readonly keys: { readonly decryptionKey: string; readonly verificationKey: string } | null
}

/** A key of App Attest that was verified before. */
export interface KnownKey {
  /** Whether that was in the present pairing of its phone. */
  readonly isOfPairing: boolean
  /** Its public point of P-256 in base64url. */
  readonly publicKey: string
  readonly signCount: number
  readonly environment: Verified['environment']
}

/** What a statement is held against. */
export interface Expected {
  /** The app of the statement, if it counts; undefined: it does not. */
  readonly app: KnownApp | undefined
  /** The key of the statement, if this phone was verified with it before. */
  readonly known: KnownKey | undefined
  /** Whether what was built for development, or is a test, is refused. */
  readonly isLive: boolean
  readonly now: Date
}

/** A phone that is what it says. */
export interface Verified {
  readonly state: 'verified'
  readonly environment: 'production' | 'development'
  /** A point of P-256 in base64url; null where the platform has no key for it. */
  readonly publicKey: string | null
  /** How often the key has signed; null where nobody counts. */
  readonly signCount: number | null
}

export type Verdict = Verified | { readonly state: 'failed'; readonly failure: AttestationFailure }

export const failed = (failure: AttestationFailure): Verdict => ({ state: 'failed', failure })
