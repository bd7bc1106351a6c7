import { riskBacktests, riskListItems, riskLists, riskRules } from '../../../drizzle/schema/risk.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { move } from '../../../src/kernel/lifecycle.ts'
import { insert, type Plan, type Row, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import type * as listContracts from './contract-lists.ts'
import { riskRuleLifecycle } from './lifecycle.ts'
import { presentBacktest, presentItem, presentList, presentRule } from './present.ts'
import type { ItemRow, ListRow, RuleRow } from './store.ts'

interface Author {
  readonly userId: string
  readonly email: string
}

const by = ({ userId, email }: Author) => ({ createdByUserId: userId, createdByEmail: email })

const rules = changesOf(riskRules, 'risk_rule', presentRule)
const lists = changesOf(riskLists, 'risk_list', presentList)
const items = changesOf(riskListItems, 'risk_list_item', presentItem)

export const planCreateRule = (
  { name, action, condition, reason }: BodyOf<typeof contracts.createRule>,
  author: Author,
  clock: Clock,
) =>
  rules.created(
    {
      ...newRow(clock),
      ...by(author),
      name,
      action,
      condition,
      reason,
      status: 'draft',
      shadowedAt: null,
      activatedAt: null,
      retiredAt: null,
    },
    'risk_rule.created',
    clock,
  )

export const planUpdateRule = (
  rule: RuleRow,
  { name, action, condition, reason }: BodyOf<typeof contracts.updateRule>,
  clock: Clock,
) =>
  rule.status === 'draft'
    ? rules.changed(rule, { name, action, condition, reason }, 'risk_rule.updated', clock)
    : refuse('risk_rule_not_draft')

export function planShadowRule(rule: RuleRow, clock: Clock) {
  const moved = move(riskRuleLifecycle, rule, 'shadow')
  if (!moved.ok) return refuse('risk_rule_status')
  return rules.changed(rule, { status: moved.status, shadowedAt: clock.now }, 'risk_rule.shadowed', clock)
}

/** Whether it was watched is the database's to say. */
export function planActivateRule(rule: RuleRow, clock: Clock) {
  const moved = move(riskRuleLifecycle, rule, 'activate')
  if (!moved.ok) return refuse('risk_rule_status')
  return rules.changed(rule, { status: moved.status, activatedAt: clock.now }, 'risk_rule.activated', clock)
}

export function planRetireRule(rule: RuleRow, clock: Clock) {
  const moved = move(riskRuleLifecycle, rule, 'retire')
  if (!moved.ok) return refuse('risk_rule_status')
  return rules.changed(rule, { status: moved.status, retiredAt: clock.now }, 'risk_rule.retired', clock)
}

export const planCreateList = (
  { name, kind, effect }: BodyOf<typeof listContracts.createList>,
  author: Author,
  clock: Clock,
) =>
  lists.created(
    { ...newRow(clock), ...by(author), name, kind, effect, status: 'active' },
    'risk_list.created',
    clock,
  )

export const planDeleteList = (list: ListRow, clock: Clock) =>
  list.status === 'active'
    ? lists.changed(list, { status: 'deleted' }, 'risk_list.deleted', clock)
    : refuse('risk_list_deleted')

/** Replies to changes are kept for replays: they name nobody, so that an erasure need not find them. */
const unnamed = <Made extends ReturnType<typeof items.created>>(plan: Made) => ({
  ...plan,
  reply: { ...plan.reply, value: null, reason: null },
})

/** What is added to a list, as it was found. */
export interface Added {
  readonly list: ListRow
  readonly value: string
  readonly paymentId: string | null
  readonly author: Author
}

export function planAddItem(
  { list, value, paymentId, author }: Added,
  { reason, expires_at: end }: Pick<BodyOf<typeof listContracts.createItem>, 'reason' | 'expires_at'>,
  clock: Clock,
) {
  if (list.status !== 'active') return refuse('risk_list_deleted')
  const expiresAt = end === undefined ? null : new Date(end)
  if (expiresAt && expiresAt <= clock.now)
    return refuse('parameter_invalid', { param: 'expires_at', message: 'expires_at must be in the future.' })
  return unnamed(
    items.created(
      {
        ...newRow(clock),
        ...by(author),
        listId: list.id,
        value,
        reason: reason ?? null,
        paymentId,
        expiresAt,
        status: 'active',
      },
      'risk_list_item.created',
      clock,
    ),
  )
}

export const planRemoveItem = (item: ItemRow, clock: Clock) =>
  item.status === 'active'
    ? unnamed(items.changed(item, { status: 'removed' }, 'risk_list_item.removed', clock))
    : refuse('risk_list_item_removed')

/** What was found is kept, so that who switches the rule on has seen it. */
export function planBacktest(
  found: Omit<Row<typeof riskBacktests>, 'id' | 'createdAt' | 'tenantId'>,
  { now, newId }: Clock,
) {
  const row = { ...found, id: newId(), createdAt: now }
  return {
    writes: [insert(riskBacktests, row)],
    events: [],
    reply: presentBacktest(row),
    subjectId: found.ruleId,
  } satisfies Plan<unknown>
}
