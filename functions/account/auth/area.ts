import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { stepUpLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

export const area: Declaration = {
  routes: [
    { at: ['/v1/auth/step-up'], by: 'operations.ts#stepUpOperations', given: 'identity' },
    { at: ['/v1/auth'], by: 'index.ts#authArea', given: 'identity' },
  ],
  tags: [
    {
      at: 10,
      name: 'Accounts',
      description:
        'Accounts of people: sign-up, sign-in, second factors, passkeys, sessions. One account serves both environments.',
    },
    {
      at: 30,
      name: 'Step-up',
      description:
        'Proofs of recent authentication. `params_hash` is the lowercase SHA-256 of canonical JSON: keys sorted recursively, UTF-8, no whitespace. For `{"description":"Storefront","environment":"sandbox","scopes":["payment_links:read","refunds:write"]}` it is `c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55`.',
    },
  ],
  nouns: { challenges: 'step-up challenge' },
  jobs: { identity: { at: 180, runs: 'sweep.ts#sweepIdentities' } },
  lookedUp: ['step_up_challenges'],
  secret: { step_up_challenges: ['token_digest', 'params_hash'] },
  lifecycles: [stepUpLifecycle],
  mails,
  errors,
}
