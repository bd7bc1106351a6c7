import { tableSessions } from '../../../drizzle/schema/table-pay.ts'
import { event } from '../../../src/kernel/events.ts'
import { amountMinorMax } from '../../../src/kernel/money.ts'
import { change, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { linesMost } from './contract.ts'
import { about, planChange } from './plan.ts'
import type { Making } from './plan-tables.ts'
import { presentSession } from './present.ts'
import type { SessionRow } from './store.ts'

const isOrdered = ({ status }: SessionRow['lines'][number]) => status === 'ordered'

/**
 * Another bill becomes a part of this one: the database moves its lines and its discount. What was merged into it `before`
 * is a part of this one too.
 */
export function planMerge(
  session: SessionRow,
  from: SessionRow,
  before: readonly SessionRow[],
  making: Making,
) {
  if (session.status !== 'open') return refuse('table_session_not_open')
  if (from.id === session.id)
    return refuse('parameter_invalid', { param: 'from_id', message: 'A bill is not merged into itself.' })
  if (from.status !== 'open') return refuse('table_session_not_open', { param: 'from_id' })
  const moved = from.lines.filter(isOrdered)
  if (session.lines.length + moved.length > linesMost)
    return refuse('parameter_invalid', {
      param: 'from_id',
      message: `A bill has at most ${linesMost} lines.`,
    })
  // What a code of one of them keeps from strangers, the bill of both keeps from them.
  const pinHash = session.pinHash ?? from.pinHash
  const after = {
    ...session,
    pinHash,
    lines: [...session.lines, ...moved],
    totalMinor: session.totalMinor + from.totalMinor,
    discountMinor: session.discountMinor + from.discountMinor,
    version: session.version + 1,
    updatedAt: making.now,
  }
  if (after.totalMinor > amountMinorMax || after.discountMinor > amountMinorMax)
    return refuse('amount_above_maximum', { param: 'from_id' })
  const set = {
    status: 'merged' as const,
    mergedInto: session.id,
    closedAt: making.now,
    discountMinor: 0n,
    updatedAt: making.now,
  }
  const left = {
    ...from,
    ...set,
    lines: from.lines.filter((line) => !isOrdered(line)),
    totalMinor: 0n,
    version: from.version + 1,
  }
  const changes = [
    { id: session.id, write: change(tableSessions, session, { pinHash, updatedAt: making.now }) },
    { id: from.id, write: change(tableSessions, from, set) },
  ]
  const led = before.map((bill) => planChange(bill, { mergedInto: session.id }, {}, making))
  const reply = presentSession(after, making)
  const told = [
    ['table_session.updated', session, reply],
    ['table_session.merged', from, presentSession(left, making)],
  ] as const
  return {
    // In one order, so that two merges in opposite directions cannot deadlock. What is merged already is in no other merge.
    writes: [
      ...led.flatMap(({ writes }) => writes),
      ...changes.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ write }) => write),
    ],
    events: [
      ...told.map(([type, was, now]) =>
        event(making.newId(), type, about(was), now, presentSession(was, making)),
      ),
      ...led.flatMap(({ events }) => events),
    ],
    reply,
    subjectId: session.id,
  } satisfies Plan<unknown>
}
