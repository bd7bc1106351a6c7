import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import { keyDigests, sha256Hex } from '../platform/crypto.ts'
import { replyLengthMax } from '../platform/redis.ts'
import type { Caller } from './access/kinds.ts'
import { tenantOf } from './access/session.ts'
import type { Contract } from './contract.ts'
import type { Input, Operation, RequestContext } from './operation.ts'
import { Problem } from './problems.ts'
import type { Ctx } from './router.ts'
import { isIdempotencyKey } from './schemas.ts'

/** The caller, its credential, claim and proof: what the handler's reads and publishes carry. */
export async function contextOf(c: Ctx, operation: Operation, input: Input): Promise<RequestContext> {
  const services = c.get('services')
  const { contract } = operation
  const { kid, open, stepUp } = c.get('caller')
  const key = idempotencyKeyOf(c, contract)
  const keys = key === null ? [] : await keyDigests(services.settings.signingSecrets, key)
  const claim =
    key === null
      ? {}
      : {
          claim: {
            keys,
            fingerprint: await fingerprintOf(contract.id, key, input),
            status: contract.reply.status,
            ...(services.settings.redis ? { bodyLengthMax: replyLengthMax } : {}),
          },
        }

  const caller = open(input)
  const proof = stepUp ? await proofOf(c, operation, input, caller, keys) : null
  return {
    services,
    requestId: c.get('requestId'),
    later: (work) => c.executionCtx.waitUntil(work),
    kid,
    ifVersion: ifVersionOf(c, contract),
    ...claim,
    upload: {
      body: c.req.raw.body,
      bytes: lengthOf(c.req.header('content-length')),
    },
    session: caller.session,
    elsewhere: caller.elsewhere,
    publishAs: caller.credential,
    readAs: proof
      ? async () => {
          // If the bearer already failed, throw before querying.
          await Promise.race([caller.session(), null])
          return { kind: 'step_up', tenantId: tenantOf(input), tokenDigest: proof.tokenDigest }
        }
      : () => caller.credential(),
    ...(proof ? { stepUp: proof.wanted, proofDigest: proof.tokenDigest } : {}),
  }
}

/** Null where the caller did not say it. */
const lengthOf = (header: string | undefined) => (/^\d+$/.test(header ?? '') ? Number(header) : null)

/** What the proof must be bound to. The door adds action, scope and environment, which it knows. */
async function proofOf(
  c: Ctx,
  { proves }: Operation,
  input: Input,
  caller: Caller,
  idempotencyKeys: readonly string[],
) {
  const tokenDigest = await sha256Hex(stepUpTokenOf(c))
  // Over the path's id as it was sent: the caller has hashed that.
  const paramsHash = await sha256Hex(canonicalJson(proves!({ ...input, params: c.req.param() })))
  return {
    tokenDigest,
    wanted: async () => {
      const { userId, sessionId } = await caller.session()
      return { tokenDigest, userId, sessionId, idempotencyKeys, paramsHash }
    },
  }
}

/** With the key, which is stored nowhere: who has the digest cannot try out what was asked, a secret among it. */
const fingerprintOf = (id: string, key: string, { params, body }: Input) =>
  sha256Hex(canonicalJson({ id, key, params: params ?? null, body: body ?? null } as Json))

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
