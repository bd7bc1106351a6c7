import * as z from 'zod'
import { conditionsOf, type Rule } from '../kernel/rule.ts'

/** A condition: its `type` and its own fields. */
export const ofType = <const Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  says: string,
  fields: Fields,
) => z.strictObject({ type: z.literal(type).describe(says), ...fields })

/** At least one of these fields is there. */
export const oneOf = (names: readonly string[]) =>
  [
    (fields: object) => names.some((name) => (fields as Record<string, unknown>)[name] !== undefined),
    `must have ${names.join(' or ')}`,
  ] as const

type Option = z.core.$ZodTypeDiscriminable

/**
 * A rule: one of the conditions, or a group of them, in which there may be groups of conditions again. `name` is theirs
 * in the reference: `Segment` of `SegmentConditionRequest`.
 */
export function ruleOf<Condition extends object>(
  conditions: readonly [Option, ...Option[]],
  name: string,
  conditionsMax: number,
): z.ZodType<Rule<Condition>> {
  const group = <Inner extends z.ZodType>(inner: Inner) =>
    z.strictObject({
      type: z.enum(['all', 'any', 'none']).describe('How many of its rules must hold.'),
      rules: z.array(inner).min(1).max(conditionsMax).describe('What is asked together.'),
    })
  const condition = z.discriminatedUnion('type', conditions).meta({ id: `${name}ConditionRequest` })
  const inGroups = group(condition).meta({ id: `${name}InnerGroupRequest` })
  const outer = group(z.discriminatedUnion('type', [condition, inGroups])).meta({ id: `${name}GroupRequest` })
  return (z.discriminatedUnion('type', [condition, outer]) as unknown as z.ZodType<Rule<Condition>>).refine(
    (asked) => conditionsOf(asked).length <= conditionsMax,
    `must have at most ${conditionsMax} conditions`,
  )
}
