import { sha256Hex } from '../../platform/crypto.ts'
import type { Credential } from '../../platform/postgres.ts'
import type { Input } from '../operation.ts'
import { Problem } from '../problems.ts'
import type { CustomerSession, Services } from '../services.ts'
import { bearerErrors, type Declaration } from './declaration.ts'
import type { Bearer } from './kinds.ts'

/** What the caller's proof of a second factor must be made for. */
export interface StepUp {
  readonly action: string
  readonly scope: string
}

/** At least this role in the workspace that `tenant_id` names and, where stated, a step-up proof. */
interface Member {
  readonly role: 'member' | 'admin' | 'owner'
  readonly stepUp?: StepUp
}

type CredentialOf = (customer: CustomerSession, input: Input, opening?: string) => Credential

/** The bearer of a signed-in customer, which the kinds below share. */
const customerBearer = <Condition>(credentialOf: CredentialOf): Bearer<Condition> => ({
  noun: 'a customer session',
  hasForm: (bearer) => /^[A-Za-z0-9]{32}\./.test(bearer),
  admit: async (bearer, services) => ({
    digest: await sha256Hex(bearer),
    kid: '',
    open(input) {
      const customer = customerOf(bearer, services)
      customer.catch(() => {})
      const session = () => customer
      return { session, credential: async (to) => credentialOf(await customer, input, to) }
    },
  }),
})

/** The customer behind a bearer. They must have shown two factors: a password alone opens no operation. */
async function customerOf(bearer: string, services: Services): Promise<CustomerSession> {
  const session = await services.sessionOf(bearer)
  if (!session) throw new Problem('session_invalid')
  if (session.secondFactor !== 'shown') throw new Problem('second_factor_required')
  return session
}

/** The workspace that a request names. */
export const tenantOf = (input: Input): string => {
  const { tenant_id } = { ...(input.query as object), ...(input.body as object) } as { tenant_id?: string }
  return tenant_id ?? ''
}

/** A member of a workspace. */
export const session = customerBearer<Member>(({ userId }, input) => ({
  kind: 'session',
  tenantId: tenantOf(input),
  userId,
}))

/** A member's proof: their reads need not wait for their session. It publishes nothing. */
export const proofCredential = (tenantId: string, tokenDigest: string): Credential => ({
  kind: 'step_up',
  tenantId,
  tokenDigest,
})

/** Any signed-in customer, also one who opens a workspace. */
export const customer = customerBearer<object>(({ userId }, _, opening = '') => ({
  kind: 'customer',
  tenantId: opening,
  userId,
}))

/** The customer who began the step-up challenge that the path names. */
export const challenge = customerBearer<object>(({ userId }, { params }) => ({
  kind: 'challenge',
  challengeId: (params as { id: string }).id,
  userId,
}))

const scheme = [
  'customerSession',
  {
    type: 'http',
    scheme: 'bearer',
    description: 'The `token` of a sign-in. It ends after 12 hours. An API key is refused here.',
  },
] as const
const errors = () => [...bearerErrors, 'session_invalid', 'second_factor_required'] as const
const samples = () => ({ possible: `${'A'.repeat(32)}.${'A'.repeat(43)}=`, impossible: [] })

const stepUpText = ({ action, scope }: StepUp) =>
  `Needs a step-up proof for the action \`${action}\` and the scope \`${scope}\`, made with the same Idempotency-Key.`

const stepUpErrors = [
  'step_up_missing',
  'step_up_malformed',
  'step_up_invalid',
  'step_up_expired',
  'step_up_already_used',
  'step_up_session_mismatch',
  'step_up_tenant_mismatch',
  'step_up_environment_mismatch',
  'step_up_action_mismatch',
  'step_up_scope_mismatch',
  'step_up_idempotency_key_mismatch',
  'step_up_params_mismatch',
] as const

const declared: Declaration<Member> = {
  scheme,
  samples,
  says: ({ role, stepUp }) => [
    `Takes the session of a member of the workspace${role === 'member' ? '' : ` with the role \`${role}\` or above`}.`,
    ...(stepUp ? [stepUpText(stepUp)] : []),
  ],
  shows: ({ role, stepUp }) => ({ 'x-spindle-role': role, ...(stepUp && { 'x-spindle-step-up': stepUp }) }),
  headers: ({ stepUp }) => (stepUp ? ['StepUpToken'] : []),
  errors: ({ role, stepUp }) => [
    ...errors(),
    'workspace_not_found',
    ...(role === 'member' ? [] : (['insufficient_role'] as const)),
    ...(stepUp ? stepUpErrors : []),
  ],
}

export const declarations = {
  session: declared,
  customer: { scheme, samples, errors, says: () => ['Takes a customer session.'] },
  challenge: {
    scheme,
    samples,
    errors,
    says: () => ['Takes the session of the customer who began the challenge.'],
  },
}
