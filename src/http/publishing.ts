import { uuidv7 } from '../kernel/ids.ts'
import { isRefusal, type Plan, type Refusal } from '../kernel/plan.ts'
import {
  type Claim,
  type Credential,
  OutcomeUnknown,
  type Publication,
  type Published,
  Refused,
} from '../platform/postgres.ts'
import type { ConstraintMeaning } from './declaration.ts'
import { Problem, type ProblemCode } from './problems.ts'
import type { Services } from './services.ts'

/** The plan was made on rows that have changed since: load and plan again. */
export class Stale extends Error {
  readonly code = 'stale'
}

const isStale = (error: unknown): boolean => error instanceof Stale

/** Requests wait after their second failed try: a crowd that retries at once only collides again. */
const waitMsMax = 400
const waitMs = (tries: number) => Math.random() * Math.min(5 * 2 ** tries, waitMsMax)

/** Reads, plans and publishes again, at most `triesMax` times, while another request changes the rows in between. */
export async function onFreshRows<T>(
  triesMax: number,
  work: (tries: number) => Promise<T>,
  cameBetween = isStale,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries)
    } catch (error) {
      if (!cameBetween(error) || tries === triesMax) throw error
    }
    if (tries > 1) await new Promise((resolve) => setTimeout(resolve, waitMs(tries)))
  }
}

export interface StoredReply {
  readonly status: number
  /** As it was sent; null where it is longer than the claim's `bodyLengthMax`. */
  readonly body: string | null
  readonly publishId: string
}

/** The Idempotency-Key had its effect before: this is the reply it got. */
export class Replayed extends Error {
  readonly reply: StoredReply

  constructor(reply: StoredReply) {
    super('replayed')
    this.reply = reply
  }
}

export interface PublishRequest {
  readonly operation: string
  readonly credential: Credential
  readonly requestId: string
  readonly now: Date
  readonly claim?: Omit<Claim, 'body'>
  readonly stepUp?: NonNullable<Publication['stepUp']>
}

/**
 * Publishes a plan and answers its reply. A refusal is thrown as its Problem.
 * @throws Replayed, Stale, Problem
 */
export async function publishPlan<Reply>(
  services: Services,
  request: PublishRequest,
  plan: Plan<Reply> | Refusal<ProblemCode>,
): Promise<PublishResult<Reply>> {
  if (isRefusal(plan)) {
    await replayBefore(services, request)
    throw new Problem(plan.refused, plan)
  }
  const stored = JSON.stringify(plan.reply)
  const publication = publicationOf(request, plan, stored)
  const result = { reply: { ...plan.reply, ...plan.once }, stored: [publication.publishId, stored] as const }
  try {
    const { expected, tenantId, woken } = await services.db.publish(publication)
    if (woken) services.wake(tenantId, woken)
    return { ...result, expected }
  } catch (error) {
    if (error instanceof Refused && isOwnCommit(error, publication)) return { ...result, expected: [] }
    throw await problemOf(error, services)
  }
}

/**
 * Asks whether a plan would be published, before something outside is done for it that cannot be undone.
 * @throws Replayed, Stale, Problem as its publish would
 */
export async function rehearse(
  services: Services,
  request: PublishRequest,
  plan: Plan<unknown>,
): Promise<void> {
  const publication = publicationOf(request, plan, JSON.stringify(plan.reply))
  try {
    await services.db.publish({ ...publication, rehearsed: true })
  } catch (error) {
    if (!(error instanceof Refused) || error.sqlState !== 'SP471') throw await problemOf(error, services)
  }
}

const publicationOf = (
  { claim, ...rest }: PublishRequest,
  { subjectId, writes, events }: Plan<unknown>,
  body: string,
): Publication => ({
  ...rest,
  publishId: uuidv7(Date.now()),
  ...(claim ? { claim: { ...claim, body } } : {}),
  ...(subjectId ? { subjectId } : {}),
  writes,
  events,
})

/**
 * A rule may refuse only because this very request had its effect before: ask the door about the key first.
 * @throws Replayed, Problem when the key is taken or the caller may not ask
 */
async function replayBefore(services: Services, { claim, ...rest }: PublishRequest): Promise<void> {
  if (!claim) return
  const publishId = uuidv7(Date.now())
  const asking = { ...rest, publishId, claim: { ...claim, body: '' }, refused: true, writes: [], events: [] }
  try {
    await services.db.publish(asking)
  } catch (error) {
    if (!(error instanceof Refused) || error.sqlState !== 'SP470') throw await problemOf(error, services)
  }
}

export interface PublishResult<Reply> {
  /** For this caller, with what only the first reply may carry. */
  readonly reply: Reply
  /** The rows that the plan's `expect` writes relied on; none when a retry found its own commit. */
  readonly expected: Published['expected']
  /** What a replay answers, under the publish's id. */
  readonly stored: readonly [publishId: string, body: string]
}

// After an ambiguous commit the same publication was sent again and found its own claim: the first try did commit.
const isOwnCommit = (error: Refused, publication: Publication) =>
  error.sqlState === 'SP410' && error.detail.publishId === publication.publishId

/** Maps the database's refusal to the caller's error. Anything else is returned unchanged and becomes a 500. */
export async function problemOf(error: unknown, services: Services): Promise<unknown> {
  if (error instanceof OutcomeUnknown) return new Problem('outcome_unknown', {}, { cause: error })
  if (!(error instanceof Refused)) return error
  const { sqlState, reason, detail, constraint } = error
  if (sqlState === 'SP410') return new Replayed(detail as unknown as StoredReply)
  if (sqlState === 'SP409' || sqlState === 'SP430' || sqlState === '40001' || sqlState === '40P01')
    return new Stale()
  const meaning = constraint && (await meaningOf(constraint))
  if (meaning === 'stale') return new Stale()
  if (meaning) return new Problem(meaning.code, meaning, { cause: error })
  if (reason === 'environment_mismatch') return environmentMismatch(services)
  if (reason === 'insufficient_scope') return insufficientScope(detail.scopes as string[])
  if (/^SP4(01|03|04|11|20)$/.test(sqlState)) return new Problem(reason as ProblemCode, detail)
  return error
}

/** What the areas declare of a constraint, loaded with the first refusal by one. */
async function meaningOf(constraint: string): Promise<ConstraintMeaning | undefined> {
  const { constraints } = await import('../generated/errors.ts')
  return (constraints as Readonly<Record<string, ConstraintMeaning>>)[constraint]
}

const insufficientScope = (scopes: readonly string[]) =>
  new Problem('insufficient_scope', { message: `The API key lacks the scope ${scopes.join(' or ')}.` })

export function environmentMismatch({ settings }: Services): Problem {
  const [belongs, address] =
    settings.environment === 'live' ? ['sandbox', settings.sandboxBaseUrl] : ['live', settings.liveBaseUrl]
  return new Problem('environment_mismatch', {
    message: `This credential belongs to the ${belongs} environment. Its base address is ${address}.`,
  })
}
