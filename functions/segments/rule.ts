import type { SegmentRule } from '../../drizzle/schema/segments.ts'

export const isGroup = (rule: SegmentRule): rule is Extract<SegmentRule, { rules: unknown }> =>
  'rules' in rule

/** How many conditions a rule has. */
export const conditionsIn = (rule: SegmentRule): number =>
  isGroup(rule) ? rule.rules.reduce((sum, inner) => sum + conditionsIn(inner), 0) : 1

/** A tag that every member by the rule has: its customers are found in an index. */
export const requiredTag = (rule: SegmentRule): string | null => {
  if (!isGroup(rule)) return rule.type === 'tag' ? rule.is : null
  if (rule.type !== 'all') return null
  return rule.rules.map(requiredTag).find((tag) => tag !== null) ?? null
}
