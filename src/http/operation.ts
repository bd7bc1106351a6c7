import type * as z from 'zod'
import type { Settings } from '../env/settings.ts'
import { isPublicId, uuidv7 } from '../kernel/ids.ts'
import type { Json } from '../kernel/json.ts'
import type { Locale } from '../kernel/locale.ts'
import { isRefusal, type Plan, type Refusal, refuse } from '../kernel/plan.ts'
import type {
  Claim,
  Credential,
  Publication,
  Published,
  Queries,
  Reading,
  RowsOf,
} from '../platform/postgres.ts'
import type { BoundQuery } from '../platform/query.ts'
import type { Caller } from './access/kinds.ts'
import type { Contract } from './contract.ts'
import {
  type ListQuery,
  openCursor,
  type Page,
  type Position,
  pageOf,
  type Window,
  windowOf,
} from './pagination.ts'
import { isCommon, Problem, type ProblemCode, type ProblemMore, problems } from './problems.ts'
import { onFreshRows, problemOf, publishPlan, Stale } from './publishing.ts'
import type { CustomerSession, Services } from './services.ts'

/** What a handler gets. `read` and `publish` carry the caller's credential; each is one round trip. */
export interface Call<Params, Query, Body, Reply> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly now: Date
  readonly settings: Settings
  readonly services: Services
  /** For what is published after the reply. */
  readonly requestId: string
  /** The contract's id: its row in door_operations. */
  readonly operation: string
  readonly newId: () => string
  /** Background work: the reply does not wait for it, and it may be lost. */
  readonly later: (work: Promise<unknown>) => void
  /** The signed-in customer, on operations that take a session. */
  readonly session: () => Promise<CustomerSession>
  /** Reads a path of the other environment as the same customer. */
  readonly elsewhere: (path: string) => Promise<unknown>
  readonly read: <Row>(query: BoundQuery<Row>) => Promise<Row[]>
  /** Several queries in the same transaction and round trip. */
  readonly readAll: <Rows extends readonly unknown[]>(...queries: Queries<Rows>) => Promise<RowsOf<Rows>>
  /** The same, with the principal. */
  readonly reading: <Rows extends readonly unknown[]>(...queries: Queries<Rows>) => Promise<Reading<Rows>>
  /** Publishes a step before the reply, without claiming the Idempotency-Key; as another operation where one is named. */
  readonly publishStep: (plan: Plan<unknown>, as?: string) => Promise<Published['expected']>
  readonly publish: (plan: Plan<Reply> | Refusal<ProblemCode>, tenantId?: string) => Promise<Reply>
  /** A digest of the Idempotency-Key, the same for the same key, on operations that need one. */
  readonly idempotencyKey: string
  /** A digest of the Idempotency-Key and of what is asked; empty where the operation needs no key. */
  readonly fingerprint: string
  /** The public part of the calling key or code; empty where a customer calls. */
  readonly kid: string
  /** One page of this operation's list, read in one round trip. */
  readonly list: <Row extends Position, Shown>(
    page: (window: Window) => BoundQuery<Row>,
    present: (row: Row) => Shown,
    within?: Within,
  ) => Promise<Page<Shown>>
  readonly fail: (code: ProblemCode, more?: ProblemMore) => never
  /** The body of an operation that takes a file; it can be read once. */
  readonly upload: Upload
}

export interface Upload {
  readonly body: ReadableStream<Uint8Array> | null
  /** Null where the caller did not say it. */
  readonly bytes: number | null
}

/** The parent resource of a list, read in the same trip, and the error when it does not exist. */
export interface Within {
  readonly query: BoundQuery<unknown>
  readonly missing: ProblemCode
}

export interface Operation {
  readonly contract: Contract
  /** What the step-up proof's params_hash covers; null on operations that need no proof. */
  readonly proves: ((input: Input) => Json) | null
  readonly run: (input: Input, request: RequestContext) => Promise<unknown>
  /** The reply, which comes as JSON, as an SVG picture; absent where there is none. */
  readonly draw?: (body: string, locale: Locale) => Promise<string>
}

/** An operation whose reply can be asked for as a picture. */
export const drawn = <Reply>(
  operation: Operation,
  draw: (reply: Reply, locale: Locale) => Promise<string>,
): Operation => ({ ...operation, draw: (body, locale) => draw(JSON.parse(body) as Reply, locale) })

export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** The caller, as the stages before the handler found it. */
export interface RequestContext {
  readonly services: Services
  readonly requestId: string
  readonly later: (work: Promise<unknown>) => void
  /** For reads; on a step-up operation the proof itself, so that a read does not wait for the session. */
  readonly readAs: () => Promise<Credential>
  /** `tenantId`: the workspace that a customer without one is opening. */
  readonly publishAs: (tenantId?: string) => Promise<Credential>
  readonly session: () => Promise<CustomerSession>
  readonly elsewhere?: Caller['elsewhere']
  readonly upload: Upload
  readonly claim?: Omit<Claim, 'body'>
  /** The public part of the calling key or code; empty where a customer calls. */
  readonly kid: string
  readonly proofDigest?: string
  /** The version that If-Match demands; null without If-Match. */
  readonly ifVersion: number | null
  readonly stepUp?: () => Promise<NonNullable<Publication['stepUp']>>
}

/** When many requests change one row, each round lets at least one through; with waits, fifty need far fewer. */
const plansMax = 40

/** A contract with its handler: load, plan, publish. A stale plan runs again on fresh rows. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  declared: Contract<P, Q, B, R>,
  handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>, z.output<R>>) => Promise<z.output<R>>,
  proves?: (input: { params: z.output<P>; body: z.output<B> }) => Json,
): Operation {
  return {
    contract: declared as Contract,
    proves: (proves as Operation['proves'] | undefined) ?? null,
    async run(input, request) {
      try {
        return await onFreshRows(plansMax, () => handle(callOf(declared.id, input, request)))
      } catch (error) {
        throw error instanceof Stale ? new Problem('conflict') : error
      }
    },
  }
}

/** A change of one resource by the id in its path, or the contract's `notFound`: one trip to read, one to publish. */
export const changeOperation = <
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Row,
>(
  contract: Contract<P, Q, B, R>,
  query: (
    params: z.output<P>,
    call: Call<z.output<P>, z.output<Q>, z.output<B>, z.output<R>>,
  ) => BoundQuery<Row>,
  plan: (
    row: Row,
    call: Call<z.output<P>, z.output<Q>, z.output<B>, z.output<R>>,
  ) => Plan<z.output<R>> | Refusal<ProblemCode>,
  proves?: (input: { params: z.output<P>; body: z.output<B> }) => Json,
): Operation =>
  operation(
    contract,
    async (call) => {
      const [row] = await call.read(query(call.params, call))
      return row === undefined ? call.fail(contract.notFound!) : call.publish(plan(row, call))
    },
    proves,
  )

function callOf<Params, Query, Body, Reply>(
  id: string,
  input: Input,
  request: RequestContext,
): Call<Params, Query, Body, Reply> {
  const { services } = request
  const now = new Date()
  return {
    // The stages before have validated it by the contract.
    ...(input as { params: Params; query: Query; body: Body }),
    now,
    services,
    settings: services.settings,
    operation: id,
    newId: () => uuidv7(now.getTime()),
    requestId: request.requestId,
    later: request.later,
    session: request.session,
    elsewhere: (path) => request.elsewhere!(path),
    upload: request.upload,
    read: async (query) => (await readWith(id, request, [query], now)).rows[0],
    readAll: async (...queries) => (await readWith(id, request, queries, now)).rows,
    reading: (...queries) => readWith(id, request, queries, now),
    async publishStep(plan, operation = id) {
      const credential = await request.publishAs()
      const { requestId } = request
      const step = { operation, credential, requestId, now }
      return (await publishPlan(services, step, { ...plan, reply: {} })).expected
    },
    kid: request.kid,
    idempotencyKey: request.claim?.keys[0] ?? '',
    fingerprint: request.claim?.fingerprint ?? '',
    async publish(plan, tenantId) {
      const [credential, stepUp] = await Promise.all([request.publishAs(tenantId), request.stepUp?.()])
      const { requestId, claim } = request
      const publishRequest = {
        operation: id,
        credential,
        requestId,
        now,
        ...(claim ? { claim } : {}),
        ...(stepUp ? { stepUp } : {}),
      }
      const wanted = matches(plan, input, request) ? plan : refuse('version_changed', { param: 'If-Match' })
      const { reply, stored } = await publishPlan(services, publishRequest, wanted)
      if (claim) request.later(services.memory.rememberReply(...stored))
      return reply
    },
    async list(page, present, within) {
      // A cursor is valid only for the payment link or payout in its path.
      const filters = { ...(input.params as object), ...(input.query as ListQuery) }
      const position = await openCursor(services.settings, id, filters)
      const wanted = page(windowOf(filters, position))
      const { principal, rows } = within
        ? await readWith(id, request, [wanted, within.query], now)
        : await readWith(id, request, [wanted], now)
      if (rows[1]?.length === 0) throw new Problem(within!.missing)
      const { tenantId } = principal
      if (position && position.tenantId !== tenantId) throw new Problem('cursor_invalid', { param: 'cursor' })
      return pageOf(services.settings, id, filters, tenantId, rows[0], present)
    },
    fail(code, more) {
      throw new Problem(code, more)
    },
  }
}

/** Whether a plan changes the version that If-Match names. A refusal keeps its own reason. */
function matches(plan: Plan<unknown> | Refusal, { params }: Input, { ifVersion }: RequestContext): boolean {
  if (ifVersion === null || isRefusal(plan)) return true
  const { id = plan.subjectId } = { ...(params as { id?: string } | undefined) }
  // Without any id, or with a public one in the path, the subject is the row that the plan changes.
  const isSubject = (changed: string) => id === undefined || id === changed || isPublicId(id)
  return plan.writes.some(
    (write) => write.kind === 'change' && isSubject(write.id) && write.version === ifVersion,
  )
}

async function readWith<Rows extends readonly unknown[]>(
  id: string,
  request: RequestContext,
  queries: Queries<Rows>,
  now: Date,
): Promise<Reading<Rows>> {
  const credential = await request.readAs()
  try {
    // A proof reads before its session is checked: the publish decides about a replay then.
    const claim = credential.kind === 'step_up' ? undefined : request.claim
    return await request.services.db.read(id, credential, queries, claim)
  } catch (error) {
    const problem = await problemOf(error, request.services)
    if (credential.kind === 'step_up' && problem instanceof Problem && isUnproven(problem))
      return refusedReading(id, request, now)
    throw problem
  }
}

const isUnproven = ({ code }: Problem) => isCommon(code) && problems[code][0] === 401

/**
 * The proof was refused. A publish that writes nothing asks the door whether this is a legal replay, or why the proof
 * does not match. It never succeeds: the door checks the proof again, with an empty paramsHash.
 */
async function refusedReading(id: string, request: RequestContext, now: Date): Promise<never> {
  const [credential, stepUp] = await Promise.all([request.publishAs(), request.stepUp?.()])
  const { requestId, claim, services } = request
  await publishPlan(
    services,
    {
      operation: id,
      credential,
      requestId,
      now,
      ...(claim ? { claim } : {}),
      stepUp: { ...stepUp, paramsHash: '' },
    },
    { writes: [], events: [], reply: {} },
  )
  throw new Problem('step_up_invalid')
}
