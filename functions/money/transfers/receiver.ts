import { type BackgroundWork, isRefusedBy, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import * as contracts from './contract.ts'
import type { TransferStatus } from './plan-outcome.ts'
import { type Arrival, planReceive } from './plan-receive.ts'

/**
 * The workspace at the other side of a transfer, which may stand in another pod: nothing else reads or writes what is
 * there. The sender's side is debited, followed and reversed without it.
 */
export interface Receiver {
  /** Whether a workspace exists and is open; true where none is named. Read with the sender's own queries. */
  readonly isOpen: (tenantId: string | null) => BoundQuery<boolean>
  /**
   * Books the money there, once for each transfer however often it is asked.
   * @throws Problem, OutcomeUnknown: nothing is known, and it is asked again
   */
  readonly book: (work: BackgroundWork, arrival: Arrival) => Promise<TransferStatus>
}

/** A receiver in the sender's own pod: a publish in its workspace. */
export const receiver: Receiver = {
  isOpen: (tenantId) => ({
    text: 'select $1::text is null or door.workspace_is_open($1)',
    values: [tenantId],
    rows: (cells) => cells.map(([cell]) => cell === 't'),
  }),
  async book({ services, requestId }, arrival) {
    const { publish, now } = systemCall({ services, requestId }, arrival.tenantId)
    try {
      await publish(contracts.receive, planReceive(arrival, clockOf(now)))
      return { state: 'arrived' }
    } catch (error) {
      // The database accepted it before: an earlier Worker booked it and crashed before it recorded that.
      if (isRefusedBy('incoming_transfers_once', error)) return { state: 'arrived' }
      if (isRefusedBy('incoming_transfers_tenant', error))
        return { state: 'failed', code: 'destination_unknown' }
      throw error
    }
  },
}
