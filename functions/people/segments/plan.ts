import { segmentPins, segments } from '../../../drizzle/schema/segments.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentSegment } from './present.ts'
import type { PinRow, SegmentRow } from './store.ts'

export const pinsMax = 1_000

const { created, changed } = changesOf(segments, 'segment', presentSegment)

export const planCreate = (asked: BodyOf<typeof contracts.create>, clock: Clock) =>
  created({ ...asked, ...newRow(clock), status: 'active' }, 'segment.created', clock)

export const planUpdate = (
  segment: SegmentRow,
  { name = segment.name, rule = segment.rule }: BodyOf<typeof contracts.update>,
  clock: Clock,
) => changed(segment, { name, rule }, 'segment.updated', clock)

export const planDelete = (segment: SegmentRow, clock: Clock) => ({
  ...changed(segment, { status: 'deleted' }, 'segment.deleted', clock),
  reply: { id: segment.id, object: 'segment' as const, deleted: true as const },
})

/** The pins of a segment are counted under its version: each changes the segment. */
export function planPin(
  segment: SegmentRow,
  { pin, count }: { readonly pin: PinRow | undefined; readonly count: number },
  { customer_id: customerId, pinned }: BodyOf<typeof contracts.pin>,
  clock: Clock,
) {
  if (!pin && pinned === 'none')
    return { writes: [], events: [], reply: presentSegment(segment), subjectId: segment.id }
  const isPinned = pin !== undefined && pin.pinned !== 'none'
  if (!isPinned && pinned !== 'none' && count >= pinsMax) return refuse('segment_pins_too_many')
  const write = pin
    ? change(segmentPins, pin, { pinned, updatedAt: clock.now })
    : insert(segmentPins, { ...newRow(clock), segmentId: segment.id, customerId, pinned })
  const plan = changed(segment, {}, 'segment.pinned', clock)
  const [told] = plan.events
  const object = { ...told!.object, customer_id: customerId, pinned }
  return { ...plan, writes: [...plan.writes, write], events: [{ ...told!, object }] } satisfies Plan<unknown>
}
