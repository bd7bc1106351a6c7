import type { evidenceFailures } from '../../drizzle/schema/disputes.ts'
import type { EvidenceFileType } from '../kernel/evidence-files.ts'

/**
 * A dispute as the processor has it. An inquiry is a bank's question before one: it moves no money, an answer in time may
 * prevent the dispute, and under the same reference it becomes the dispute.
 */
export interface DisputeFacts {
  readonly disputeRef: string
  readonly attemptReference: string
  readonly state:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'inquiry_needs_response'
    | 'inquiry_under_review'
    | 'inquiry_closed'
  /** It was settled before it claimed anything: nothing is recorded of one that we do not know. Its state is `won`. */
  readonly isPrevented?: true
  readonly amountMinor: bigint
  readonly currency: string
  readonly reason: string
  readonly evidenceDueBy: Date | null
  /** What the processor took for it and has not given back, with tax; absent where it does not tell it in `currency`. */
  readonly costMinor?: bigint
}

export type EvidenceFailure = (typeof evidenceFailures)[number]

/** A file that evidence names. */
export interface EvidenceFile {
  /** Ours. */
  readonly id: string
  readonly contentType: EvidenceFileType
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Which file of the processor's is which evidence: `receipt` and the like. */
export type FileRefs = Readonly<Record<string, string>>

/** The dispute afterwards. Null: there is none; `unknown`: no answer in time. */
type DisputeAnswer = DisputeFacts | null | 'unknown'

export interface DisputeRail {
  /** Null: there is none; `unknown`: the processor did not answer in time. */
  fetchDispute(disputeRef: string): Promise<DisputeAnswer>
  /** Gives the processor a file for the dispute's evidence, where it stays. `refused`: it does not take it. */
  uploadFile(
    disputeRef: string,
    file: EvidenceFile,
  ): Promise<{ readonly fileRef: string } | 'refused' | 'unknown'>
  /** The bank takes evidence once each time that it asks: sending it again meanwhile has no effect. */
  submitEvidence(
    disputeRef: string,
    evidence: Readonly<Record<string, string>>,
    files?: FileRefs,
  ): Promise<DisputeAnswer | EvidenceFailure>
  /** Keeps evidence with the processor without sending it to the bank. A processor may keep a field that it was given before. */
  draftEvidence(
    disputeRef: string,
    evidence: Readonly<Record<string, string>>,
    files?: FileRefs,
  ): Promise<DisputeAnswer | EvidenceFailure>
  /** Gives in: the dispute is lost. Without effect where it takes no answer any more. */
  acceptDispute(disputeRef: string): Promise<DisputeAnswer>
  /** Disputes with an unconfirmed notification. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (disputeRef: string, state: DisputeFacts['state']) => Promise<void>
}

/** A buyer's bank reported a charge as fraud, often before a dispute. It moves no money. */
export interface FraudWarningFacts {
  readonly warningRef: string
  readonly attemptReference: string
  readonly fraudType: string
  /** Neither disputed nor wholly refunded. */
  readonly isActionable: boolean
}

export interface FraudWarningRail {
  /** Null: there is none; `unknown`: the processor did not answer in time. */
  fetchFraudWarning(warningRef: string): Promise<FraudWarningFacts | null | 'unknown'>
  /** As of disputes. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (warningRef: string, isActionable: boolean) => Promise<void>
}
