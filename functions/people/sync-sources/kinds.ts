import type { ProblemCode } from '../../../src/http/problems.ts'
import type { SystemCall } from '../../../src/http/system-call.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import type { Refusal, Write } from '../../../src/kernel/plan.ts'
import type { Queries, RowsOf } from '../../../src/platform/postgres.ts'
import type { Incoming, RecordResult } from './plan-records.ts'
import type { RunRow, SourceRow } from './store.ts'

/** Where a run begins. */
export interface Beginning {
  readonly cursor: JsonObject
  readonly total?: number
  readonly fileId?: string
  /** What the start relies on. */
  readonly writes?: readonly Write[]
}

/** The next records of a run. */
export interface Slice {
  /** At most `recordsMax`, in the source's order. None is fine, also before the end. */
  readonly records: readonly Incoming[]
  /** Where the next slice begins: the kind's own, stored with the run. */
  readonly cursor: JsonObject
  /** How many records there are in all, where that is known by now. */
  readonly total?: number
  /** How much of the run is done with this slice, in percent, where that is known. */
  readonly progress?: number
  readonly isDone: boolean
  /** Called with each record's result before they are published, and again where that did not happen. */
  readonly keep?: (results: readonly RecordResult[]) => Promise<void>
}

interface Reads {
  readonly readAll: <Rows extends readonly unknown[]>(...queries: Queries<Rows>) => Promise<RowsOf<Rows>>
}

/** How a kind of source reads its records itself, in runs. */
export interface SourceKind {
  /** Where a new run begins, or why it cannot. It reads rows and nothing else. */
  readonly begin: (call: Reads, source: SourceRow) => Promise<Beginning | Refusal<ProblemCode>>
  /**
   * The records behind the run's cursor. It is asked again for the same ones after a Worker died or the publish failed.
   * @throws SliceFailed; anything else counts as a source that does not answer
   */
  readonly slice: (
    call: SystemCall,
    at: { readonly source: SourceRow; readonly run: RunRow },
  ) => Promise<Slice>
}

/** Why a slice could not be read. */
export class SliceFailed extends Error {
  readonly code: ProblemCode
  /** Another try would fail as well. */
  readonly isFinal: boolean
  /** The source asks us to wait so long. */
  readonly retryAfterMs: number

  constructor(
    code: ProblemCode,
    message: string,
    {
      isFinal = false,
      retryAfterMs = 0,
      cause,
    }: { isFinal?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.isFinal = isFinal
    this.retryAfterMs = retryAfterMs
  }
}

/** How each kind reads its records; null where they are pushed. Loaded when it is needed. */
export const kinds: Readonly<Record<SourceRow['kind'], (() => Promise<SourceKind>) | null>> = {
  push: null,
  csv: async () => (await import('./csv/kind.ts')).csv,
  stripe: async () => (await import('./stripe/kind.ts')).stripe,
}
