import { type BearerName, bearers } from './access/kinds.ts'
import type { Input, Operation } from './operation.ts'
import type { Ctx } from './router.ts'

/**
 * Runs an operation for a page, with the bearer that its form carries. It claims no Idempotency-Key: a form that is sent
 * again finds what the first one did.
 * @throws Problem
 */
export async function runForPage(
  c: Ctx,
  operation: Operation,
  as: { readonly kind: BearerName; readonly bearer: string },
  input: Input,
): Promise<unknown> {
  const services = c.get('services')
  const { open, kid } = await bearers[as.kind].admit(as.bearer, services)
  const { credential, session } = open(input)
  return operation.run(input, {
    services,
    requestId: c.get('requestId'),
    later: (work) => c.executionCtx.waitUntil(work),
    kid,
    session,
    readAs: () => credential(),
    publishAs: credential,
    ifVersion: null,
    upload: { body: null, bytes: null },
  })
}
