import { mintApiKey, parseApiKey } from '../../kernel/api-key.ts'
import { hmacHex } from '../../platform/crypto.ts'
import type { Scope } from '../contract.ts'
import { Problem } from '../problems.ts'
import { environmentMismatch } from '../publishing.ts'
import { bearerErrors, type Declaration } from './declaration.ts'
import type { Asked, Bearer } from './kinds.ts'

/** Any one of these scopes is enough. */
interface Condition extends Asked {
  readonly scopes: readonly [Scope, ...Scope[]]
}

/** A merchant's API key. Its digests, under each version of the pepper, are its own proof. */
export const apiKey: Bearer<Condition> = {
  noun: 'an API key',
  hasForm: (bearer) => bearer.startsWith('sk_'),
  async admit(bearer, services) {
    const parsed = parseApiKey(bearer)
    if (!parsed.ok) throw new Problem('api_key_invalid')
    if (parsed.environment !== services.settings.environment) throw environmentMismatch(services)
    const { byVersion, current } = services.settings.peppers
    const digests: Record<string, string> = {}
    for (const [version, pepper] of Object.entries(byVersion))
      digests[version] = await hmacHex(pepper, bearer)
    const { kid } = parsed
    const credential = Promise.resolve({ kind: 'api_key', kid, digests })
    const session = () => Promise.reject(new Problem('credential_not_accepted'))
    return { digest: digests[current]!, kid, open: () => ({ credential: () => credential, session }) }
  },
}

const api_key: Declaration<Condition> = {
  scheme: [
    'apiKey',
    {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'sk_sbx_… or sk_live_…',
      description: 'An API key of the environment whose base address is called.',
    },
  ],
  says: ({ scopes }) =>
    `Takes an API key with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
  errors: () => [
    ...bearerErrors,
    'api_key_invalid',
    'api_key_revoked',
    'api_key_expired',
    'api_key_rotated_out',
    'api_key_not_active',
    'environment_mismatch',
    'insufficient_scope',
  ],
  samples() {
    const { token } = mintApiKey({ environment: 'sandbox' })
    const cut = token.slice(0, -1)
    const invalid = ['garbage', 'sk_test_0123456789', 'sk_sbx_', cut, cut + (token.endsWith('0') ? '1' : '0')]
    return {
      possible: token,
      impossible: [
        ...invalid.map((bearer) => [bearer, 'api_key_invalid'] as const),
        [mintApiKey({ environment: 'live' }).token, 'environment_mismatch'],
      ],
    }
  },
}

export const declarations = { api_key }
