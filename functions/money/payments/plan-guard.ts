import { cardTries } from '../../../drizzle/schema/card-tries.ts'
import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { insert, type Write } from '../../../src/kernel/plan.ts'
import type { Submission } from './plan.ts'
import type { AttemptRow } from './store.ts'

/** Keyed digests of where a card is tried, of the address that the buyer gave, and of the card. */
export interface Tried {
  readonly networkDigest: string
  /** Null where none was given. */
  readonly contactDigest: string | null
  readonly cardDigest: string
  /** The bank is asked to confirm the buyer. */
  readonly isConfirmed: boolean
  /** The buyer was taken for a person, not for a program. */
  readonly isPerson: boolean
  /** A list or rule of the workspace blocks the card: the processor is not asked. */
  readonly isBlocked: boolean
}

/** The last write of a submission: the database counts it with the others that were tried there, or refuses it. */
export const newCardTry = (tried: Tried, { payment, attempt }: Submission, { now }: Clock): Write =>
  insert(cardTries, {
    id: attempt.id,
    originId: payment.originId,
    ...tried,
    isServer: attempt.channel === 'server',
    createdAt: now,
  })

/** It was recorded with its end, and is not at it yet. */
export const isBlocked = ({ status, declineCode }: AttemptRow): boolean =>
  status === 'submitting' && declineCode === 'blocked'

/** What a list or rule of the workspace answers in the processor's place. */
export const blocked = ({ methodDetails }: AttemptRow) =>
  ({
    state: 'declined',
    code: 'blocked',
    category: 'hard',
    card: methodDetails as CardDetails | null,
  }) as const
