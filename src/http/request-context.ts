import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import { keyDigests, sha256Hex } from '../platform/crypto.ts'
import type { Credential } from '../platform/postgres.ts'
import { replyLengthMax } from '../platform/redis.ts'
import type { Contract } from './contract.ts'
import type { Input, Operation, RequestContext } from './operation.ts'
import { Problem } from './problems.ts'
import type { Ctx } from './router.ts'
import { isIdempotencyKey } from './schemas.ts'
import { bearerOf, customerOf, wrongKind } from './stages/credential.ts'

/** The caller, its credential, claim and proof: what the handler's reads and publishes carry. */
export async function contextOf(c: Ctx, operation: Operation, input: Input): Promise<RequestContext> {
  const services = c.get('services')
  const { contract } = operation
  const bearer = bearerOf(c.req.header('authorization'))
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const apiKey = c.get('apiKey')
  const requestId = c.get('requestId')
  const base = {
    services,
    requestId,
    later,
    apiKey,
    ifVersion: ifVersionOf(c, contract),
  }
  const key = idempotencyKeyOf(c, contract)
  const keys = key === null ? [] : await keyDigests(services.settings.signingSecrets, key)
  const claim =
    key === null
      ? {}
      : {
          claim: {
            keys,
            fingerprint: await fingerprintOf(contract.id, input),
            status: contract.reply.status,
            ...(services.settings.redis ? { bodyLengthMax: replyLengthMax } : {}),
          },
        }

  if (apiKey) {
    const credential = Promise.resolve(apiKey.credential)
    const session = () => Promise.reject(wrongKind('a customer session'))
    return { ...base, ...claim, readAs: () => credential, publishAs: () => credential, session }
  }
  const customer = customerOf(bearer, services)
  customer.catch(() => {})
  const tenantId = tenantOf(input)
  const asMember = async (opened?: string): Promise<Credential> => {
    const { userId } = await customer
    if (contract.access.kind === 'challenge') {
      return { kind: 'challenge', challengeId: (input.params as { id: string }).id, userId }
    }
    return {
      kind: contract.access.kind === 'customer' ? 'workspace_creator' : 'session',
      tenantId: opened ?? tenantId,
      userId,
    }
  }
  const proof = contract.stepUp ? await proofOf(c, operation, input, customer, contract.stepUp, keys) : null
  return {
    ...base,
    ...claim,
    session: () => customer,
    publishAs: asMember,
    readAs: proof
      ? async () => {
          // If the bearer already failed, throw before querying.
          await Promise.race([customer, null])
          return { kind: 'step_up', tenantId, tokenDigest: proof.tokenDigest }
        }
      : () => asMember(),
    ...(proof ? { stepUp: proof.wanted, proofDigest: proof.tokenDigest } : {}),
  }
}

/** What the proof must be bound to. The door adds action and environment, which it knows. */
async function proofOf(
  c: Ctx,
  { proves }: Operation,
  input: Input,
  customer: ReturnType<typeof customerOf>,
  { scope }: NonNullable<Contract['stepUp']>,
  idempotencyKeys: readonly string[],
) {
  const tokenDigest = await sha256Hex(stepUpTokenOf(c))
  // Over the path's id as it was sent: the caller has hashed that.
  const paramsHash = await sha256Hex(canonicalJson(proves!({ ...input, params: c.req.param() })))
  return {
    tokenDigest,
    wanted: async () => {
      const { userId, sessionId } = await customer
      return { tokenDigest, userId, sessionId, scope, idempotencyKeys, paramsHash }
    },
  }
}

const tenantOf = (input: Input): string => {
  const { tenant_id } = { ...(input.query as object), ...(input.body as object) } as { tenant_id?: string }
  return tenant_id ?? ''
}

const fingerprintOf = (id: string, { params, body }: Input) =>
  sha256Hex(canonicalJson({ id, params: params ?? null, body: body ?? null } as Json))

/** Null where the operation takes none, or the caller sent none and none is required. */
export function idempotencyKeyOf(c: Ctx, { idempotency }: Contract): string | null {
  const key = c.req.header('idempotency-key')
  if (idempotency === 'none' || (idempotency === 'optional' && key === undefined)) return null
  if (key === undefined) throw new Problem('idempotency_key_missing', { param: 'Idempotency-Key' })
  if (!isIdempotencyKey(key)) throw new Problem('idempotency_key_invalid', { param: 'Idempotency-Key' })
  return key
}

/** Whether the operation takes If-Match: it changes a versioned resource. A creation has no version before. */
export const changesVersion = ({ versioned, method, location }: Contract): boolean =>
  versioned === true && method !== 'GET' && location === undefined

/** The version that If-Match demands; null without If-Match. */
export function ifVersionOf(c: Ctx, contract: Contract): number | null {
  const named = c.req.header('if-match')
  if (named === undefined || contract.method === 'GET') return null
  // An edge that compresses a reply weakens its ETag; the version is the same.
  const version = /^(?:W\/)?"([1-9]\d{0,8})"$/.exec(named)?.[1]
  if (!changesVersion(contract) || version === undefined)
    throw new Problem('if_match_invalid', { param: 'If-Match' })
  return Number(version)
}

export function stepUpTokenOf(c: Ctx): string {
  const token = c.req.header('x-sp-step-up-token')
  if (token === undefined) throw new Problem('step_up_missing', { param: 'x-sp-step-up-token' })
  if (token.length < 32 || token.length > 4096)
    throw new Problem('step_up_malformed', { param: 'x-sp-step-up-token' })
  return token
}
