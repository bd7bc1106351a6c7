import type { SegmentCondition, SegmentRule } from '../../../drizzle/schema/segments.ts'
import { isGroup } from '../../../src/kernel/rule.ts'

type Indexed = Extract<SegmentCondition, { type: 'tag' | 'metadata' }>

/** A tag or metadata that every member by the rule has: such customers are found in an index. */
export const requiredEntry = (rule: SegmentRule): Indexed | null => {
  if (!isGroup(rule)) return rule.type === 'tag' || rule.type === 'metadata' ? rule : null
  if (rule.type !== 'all') return null
  return rule.rules.map(requiredEntry).find((entry) => entry !== null) ?? null
}
