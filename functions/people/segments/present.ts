import type { SegmentRow } from './store.ts'

/** A segment as the interface shows it. */
export const presentSegment = (segment: SegmentRow) => ({
  id: segment.id,
  object: 'segment' as const,
  name: segment.name,
  rule: { ...segment.rule },
  version: segment.version,
  created_at: segment.createdAt.toISOString(),
  updated_at: segment.updatedAt.toISOString(),
})
