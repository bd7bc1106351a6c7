import type * as z from 'zod'
import { segmentPins, segments } from '../../../drizzle/schema/segments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { change, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentSegment } from './present.ts'
import type { PinRow, SegmentRow } from './store.ts'

export const pinsMax = 1_000

const about = ({ id }: SegmentRow) => ({ type: 'segment', id })
const shown = (segment: SegmentRow) => presentSegment(segment) as unknown as JsonObject

export function planCreate(
  asked: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
  const row: SegmentRow = {
    ...asked,
    id: newId(),
    status: 'active',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return {
    writes: [insert(segments, row)],
    events: [event(newId(), 'segment.created', about(row), shown(row))],
    reply: presentSegment(row),
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planUpdate = (
  segment: SegmentRow,
  { name = segment.name, rule = segment.rule }: z.output<NonNullable<typeof contracts.update.body>>,
  clock: Clock,
) => planChange(segment, { type: 'segment.updated', set: { name, rule } }, clock)

export const planDelete = (segment: SegmentRow, clock: Clock) => ({
  ...planChange(segment, { type: 'segment.deleted', set: { status: 'deleted' } }, clock),
  reply: { id: segment.id, object: 'segment' as const, deleted: true as const },
})

/** The pins of a segment are counted under its version: each changes the segment. */
export function planPin(
  segment: SegmentRow,
  { pin, count }: { readonly pin: PinRow | undefined; readonly count: number },
  { customer_id: customerId, pinned }: z.output<NonNullable<typeof contracts.pin.body>>,
  clock: Clock,
) {
  const { now, newId } = clock
  if (!pin && count >= pinsMax) return refuse('segment_pins_too_many')
  const write = pin
    ? change(segmentPins, pin, { pinned, updatedAt: now })
    : insert(segmentPins, {
        id: newId(),
        segmentId: segment.id,
        customerId,
        pinned,
        createdAt: now,
        updatedAt: now,
      })
  const adds = { customer_id: customerId, pinned }
  return planChange(segment, { type: 'segment.pinned', set: {}, writes: [write], adds }, clock)
}

interface Changing {
  readonly type: EventType
  readonly set: Partial<Pick<SegmentRow, 'name' | 'rule' | 'status'>>
  readonly writes?: readonly Write[]
  readonly adds?: JsonObject
}

function planChange(
  segment: SegmentRow,
  { type, set, writes = [], adds = {} }: Changing,
  { now, newId }: Clock,
) {
  const after = { ...segment, ...set, version: segment.version + 1, updatedAt: now }
  return {
    writes: [change(segments, segment, { ...set, updatedAt: now }), ...writes] as readonly Write[],
    events: [event(newId(), type, about(segment), { ...shown(after), ...adds }, shown(segment))],
    reply: presentSegment(after),
  } satisfies Plan<unknown>
}
