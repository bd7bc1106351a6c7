import { sha256Hex } from '../../platform/crypto.ts'
import type { Input } from '../operation.ts'
import { Problem } from '../problems.ts'
import type { CustomerSession, Services } from '../services.ts'
import { bearerErrors, type Declaration } from './declaration.ts'
import type { Asked, Bearer } from './kinds.ts'

/** At least this role in the workspace that `tenant_id` names. */
interface Member extends Asked {
  readonly role: 'member' | 'admin' | 'owner'
  /** Also a member who has left, so that a retry finds its reply. */
  readonly orRemoved?: true
}

/** The bearer of a signed-in customer, which the kinds below share. */
const customerBearer = <Condition extends Asked>(
  kind: string,
  named: (input: Input, customer: CustomerSession, opening?: string) => Readonly<Record<string, string>>,
): Bearer<Condition> => ({
  noun: 'a customer session',
  hasForm: (bearer) => /^[A-Za-z0-9]{32}\./.test(bearer),
  admit: async (bearer, services) => ({
    digest: await sha256Hex(bearer),
    kid: '',
    open(input) {
      const customer = customerOf(bearer, services)
      customer.catch(() => {})
      const credential = async (to?: string) => {
        const session = await customer
        return { kind, ...named(input, session, to), userId: session.userId }
      }
      return {
        session: () => customer,
        credential,
        elsewhere: async (path) =>
          (await import('./other-environment.ts')).readElsewhere(services, bearer, path),
      }
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
export const session = customerBearer<Member>('session', (input) => ({ tenantId: tenantOf(input) }))

/** Any signed-in customer, also one who opens a workspace. */
export const customer = customerBearer('customer', (_, __, tenantId = '') => ({ tenantId }))

/** The customer who began the step-up challenge that the path names. */
export const challenge = customerBearer('challenge', ({ params }) => ({
  challengeId: (params as { id: string }).id,
}))

/** The customer to whose address the invitation went that the path names. */
export const invitee = customerBearer('invitee', ({ params }, { email }) => ({
  invitationId: (params as { id: string }).id,
  email,
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

const ofMember: Declaration<Member> = {
  scheme,
  samples,
  says: ({ role }) =>
    `Takes the session of a member of the workspace${role === 'member' ? '' : ` with the role \`${role}\` or above`}.`,
  errors: ({ role }) => [
    ...errors(),
    'workspace_not_found',
    ...(role === 'member' ? [] : (['insufficient_role'] as const)),
  ],
}

export const declarations = {
  session: ofMember,
  customer: { scheme, samples, errors, says: () => 'Takes a customer session.' },
  challenge: {
    scheme,
    samples,
    errors,
    says: () => 'Takes the session of the customer who began the challenge.',
  },
  invitee: {
    scheme,
    samples,
    errors,
    says: () => 'Takes the session of the customer who is invited.',
  },
}
