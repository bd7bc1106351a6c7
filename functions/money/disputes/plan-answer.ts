import { disputes } from '../../../drizzle/schema/disputes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, isRefusal, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { EvidenceFailure } from '../../../src/processors/claims.ts'
import { namedFiles } from './plan-files.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import { asks } from './standing.ts'
import type { DisputeRow, FileRow } from './store.ts'

const minuteMs = 60_000

type Recording = Pick<DisputeRow, 'pendingAction'> & Partial<Pick<DisputeRow, 'evidence' | 'evidenceFiles'>>

/** Whether what is being sent to the processor cannot be taken back. */
const isCommitted = ({ pendingAction }: DisputeRow): boolean =>
  pendingAction === 'submit' || pendingAction === 'accept'

/** Records first what is then sent to the processor; its answer is recorded separately. */
const recorded = (dispute: DisputeRow, recording: Recording, now: Date): Plan<DisputeReply> => {
  const set = {
    ...recording,
    evidenceSubmittedAt: recording.evidence ? null : dispute.evidenceSubmittedAt,
    evidenceFailure: null,
    nextCheckAt: new Date(now.getTime() + minuteMs),
    checksCount: 0,
    updatedAt: now,
  }
  return {
    writes: [change(disputes, dispute, set)],
    events: [],
    reply: presentDispute({ ...dispute, ...set }),
    subjectId: dispute.id,
  }
}

/** Why a dispute takes no evidence, also no file for it; null: it does. */
export function refusalOfEvidence(
  dispute: DisputeRow,
  now: Date,
): Refusal<'dispute_evidence_not_awaited' | 'dispute_evidence_overdue'> | null {
  if (!asks(dispute.status) || isCommitted(dispute)) return refuse('dispute_evidence_not_awaited')
  return dispute.evidenceDueBy !== null && dispute.evidenceDueBy <= now
    ? refuse('dispute_evidence_overdue')
    : null
}

/** Texts, and files by their ids, of those that the dispute has. */
interface Evidence {
  readonly texts: Readonly<Record<string, string>>
  readonly named?: Readonly<Record<string, string>>
  readonly stored?: readonly FileRow[]
}

export function planEvidence(
  dispute: DisputeRow,
  { texts, named = {}, stored = [] }: Evidence,
  pendingAction: 'submit' | 'draft',
  now: Date,
) {
  const files = refusalOfEvidence(dispute, now) ?? namedFiles(named, stored, now)
  if (isRefusal(files)) return files
  const plan = recorded(dispute, { evidence: texts, evidenceFiles: named, pendingAction }, now)
  return { ...plan, writes: [...files.writes, ...plan.writes] }
}

/** The merchant gives in. An inquiry has claimed nothing that could be given. */
export function planAccept(
  dispute: DisputeRow,
  now: Date,
): Plan<DisputeReply> | Refusal<'dispute_not_acceptable'> {
  if (dispute.status !== 'needs_response' || isCommitted(dispute)) return refuse('dispute_not_acceptable')
  return recorded(dispute, { pendingAction: 'accept' }, now)
}

/** The processor has a draft, or takes no such evidence: it may be sent again. */
export function planTold(
  dispute: DisputeRow,
  evidenceFailure: EvidenceFailure | null,
  { now, newId }: Clock,
): Plan<DisputeReply> {
  const set = { pendingAction: null, evidenceFailure, updatedAt: now }
  const object = presentDispute({ ...dispute, ...set })
  const about = { type: 'dispute', id: dispute.id }
  return {
    writes: [change(disputes, dispute, set)],
    events: evidenceFailure
      ? [event(newId(), 'dispute.evidence_refused', about, object, presentDispute(dispute))]
      : [],
    reply: object,
  }
}
