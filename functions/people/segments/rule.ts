import type { SegmentRule } from '../../../drizzle/schema/segments.ts'

export const isGroup = (rule: SegmentRule): rule is Extract<SegmentRule, { rules: unknown }> =>
  'rules' in rule

/** How many conditions a rule has. */
export const conditionsIn = (rule: SegmentRule): number =>
  isGroup(rule) ? rule.rules.reduce((sum, inner) => sum + conditionsIn(inner), 0) : 1

type Indexed = Extract<SegmentRule, { type: 'tag' | 'metadata' }>

/** A tag or metadata that every member by the rule has: such customers are found in an index. */
export const requiredEntry = (rule: SegmentRule): Indexed | null => {
  if (!isGroup(rule)) return rule.type === 'tag' || rule.type === 'metadata' ? rule : null
  if (rule.type !== 'all') return null
  return rule.rules.map(requiredEntry).find((entry) => entry !== null) ?? null
}
