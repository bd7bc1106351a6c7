import type { Credential } from '../../platform/postgres.ts'
import type { Input } from '../operation.ts'
import { Problem } from '../problems.ts'
import type { CustomerSession, Services } from '../services.ts'
import { apiKey } from './api-key.ts'
import { challenge, customer, invitee, session } from './session.ts'

/** A device of one of these kinds. */
export interface DeviceCondition extends Asked {
  readonly kinds: readonly string[]
}

/** A paired device, by its credential. */
const device: Bearer<DeviceCondition> = {
  noun: 'the credential of a device',
  hasForm: (bearer) => bearer.startsWith('dk_'),
  admit: async (bearer, services) => (await import('./device.ts')).admitDevice(bearer, services),
}

/** A device that shows the code which a person entered on it. */
const pairing: Bearer<Asked> = {
  noun: 'a pairing code',
  hasForm: (bearer) => /^[\da-z]{4}-?[\da-z]{4}$/i.test(bearer),
  admit: async (bearer, services) => (await import('./device.ts')).admitPairing(bearer, services),
}

/** Kinds of credential that a request presents in its Authorization header. */
export const bearers = { api_key: apiKey, session, customer, challenge, invitee, device, pairing }

/** The other kinds, which ask nothing of the caller, with what door.authorize receives of each. */
export const others = {
  /** Any holder of an unguessable address where something is for sale: the path of a page. */
  public_id: (publicId: string): Credential => ({ kind: 'public_id', publicId }),
  /** The service's own scheduled work, for a workspace. */
  system: (tenantId: string): Credential => ({ kind: 'system', tenantId }),
  /** A person of ours, on the command line with the role that migrates; no Worker. */
  operator: (tenantId: string, name: string): Credential => ({ kind: 'operator', tenantId, name }),
}

type Bearers = typeof bearers
export type BearerName = keyof Bearers

/** Who may call an operation: any of these kinds, each on its condition. The database decides, the Worker does not. */
export type Access = BearerAccess & { readonly [Name in keyof typeof others]?: object }
export type BearerAccess = { readonly [Name in BearerName]?: NonNullable<Bearers[Name]['asks']> }

/** What an operation may ask of a caller of any kind: a step-up proof for this action and scope. */
export interface Asked {
  readonly stepUp?: { readonly action: string; readonly scope: string }
}

export interface Bearer<Condition extends Asked> {
  /** What an operation may ask of it: a type without a value. */
  readonly asks?: Condition
  /** What refusals call it: `an API key`. */
  readonly noun: string
  /** Whether a bearer is of this kind, valid or not. */
  readonly hasForm: (bearer: string) => boolean
  /** Refuses what cannot be valid, without a trip. */
  readonly admit: (bearer: string, services: Services) => Promise<Admitted>
}

export interface Admitted {
  /** A digest of the whole bearer: an attacker who knows a part of it cannot exhaust its limits. */
  readonly digest: string
  /** It is short enough to be guessed: its rate counts against the caller's address. */
  readonly isShort?: true
  /** The public part of a key or a code; empty for other kinds. */
  readonly kid: string
  /** Asks what the database of the environment does not know, once the request has no other fault. */
  readonly open: (input: Input) => Caller
}

export interface Caller {
  /** `tenantId`: the workspace that a customer without one is opening. */
  readonly credential: (tenantId?: string) => Promise<Credential>
  readonly session: () => Promise<CustomerSession>
  /** Reads this path of the other environment with the customer's own bearer; an API key has none there. */
  readonly elsewhere?: (path: string) => Promise<unknown>
}

/**
 * The bearer of `Authorization: Bearer <token>`, of one of the kinds that an operation takes. One that has the form of no
 * kind is left to the first of them, to refuse.
 */
export function presented(authorization: string | undefined, access: BearerAccess) {
  const challenged = { headers: { 'WWW-Authenticate': 'Bearer' } }
  if (!authorization) throw new Problem('credential_missing', challenged)
  const bearer = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1]
  if (!bearer) throw new Problem('credential_malformed', challenged)
  const names = Object.keys(bearers) as BearerName[]
  const taken = names.filter((name) => access[name])
  const ofForm = names.filter((name) => bearers[name].hasForm(bearer))
  const name = ofForm.length === 0 ? taken[0] : taken.find((each) => ofForm.includes(each))
  if (name) return { bearer, admit: bearers[name].admit, stepUp: (access[name] as Asked).stepUp }
  const nouns = new Set(taken.map((each) => bearers[each].noun))
  throw new Problem('credential_not_accepted', {
    message: `This operation takes ${[...nouns].join(' or ')}.`,
  })
}
