/** How many of its rules must hold. */
// A type, not an interface: only a type is a JSON object to TypeScript.
export type Group<Condition> = {
  readonly type: 'all' | 'any' | 'none'
  readonly rules: readonly Rule<Condition>[]
}

/** A condition, or several of them, which may be groups themselves. */
export type Rule<Condition> = Condition | Group<Condition>

export const isGroup = <Condition extends object>(rule: Rule<Condition>): rule is Group<Condition> =>
  'rules' in rule

/** The conditions that a rule has, in its order. */
export const conditionsOf = <Condition extends object>(rule: Rule<Condition>): readonly Condition[] =>
  isGroup(rule) ? rule.rules.flatMap((inner) => conditionsOf(inner)) : [rule]
