import { incomingTransfers } from '../../../drizzle/schema/transfers.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { insert, type Plan, post } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { presentIncomingTransfer } from './present.ts'
import type { IncomingTransferRow } from './store.ts'

/** What a transfer says to the workspace that it goes to, `tenantId`. */
export type Arrival = Omit<IncomingTransferRow, 'id' | 'createdAt'>

/** The receiving side of a transfer: published in the receiver's workspace, where the database accepts it once. */
export function planReceive(arrival: Arrival, { now, newId }: Clock): Plan<object> {
  const incoming = { ...arrival, id: newId(), createdAt: now }
  const journal = movementJournal('incoming_transfer.incoming', incoming, arrival.amountMinor, { now, newId })
  const received = { type: 'incoming_transfer', id: incoming.id }
  return {
    writes: [insert(incomingTransfers, incoming), post(journal)],
    events: [event(newId(), 'incoming_transfer.received', received, presentIncomingTransfer(incoming))],
    reply: {},
  }
}
