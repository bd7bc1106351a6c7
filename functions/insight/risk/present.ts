import { toMinorString } from '../../../src/kernel/money.ts'
import type { BacktestRow, EvaluationRow, ItemRow, Judged, ListRow, ReviewRow, RuleRow } from './store.ts'

const authorOf = ({ createdByUserId, createdByEmail }: RuleRow | ListRow | ItemRow) => ({
  user_id: createdByUserId,
  email: createdByEmail,
})

const ofRow = ({ version, createdAt, updatedAt }: RuleRow | ListRow | ItemRow | ReviewRow) => ({
  version,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

const timeOf = (time: Date | null) => time?.toISOString() ?? null

export const presentRule = (rule: RuleRow) => ({
  id: rule.id,
  object: 'risk_rule' as const,
  name: rule.name,
  action: rule.action,
  condition: { ...rule.condition },
  reason: rule.reason,
  status: rule.status,
  shadowed_at: timeOf(rule.shadowedAt),
  activated_at: timeOf(rule.activatedAt),
  retired_at: timeOf(rule.retiredAt),
  author: authorOf(rule),
  ...ofRow(rule),
})

export const presentList = (list: ListRow) => ({
  id: list.id,
  object: 'risk_list' as const,
  name: list.name,
  kind: list.kind,
  effect: list.effect,
  status: list.status,
  author: authorOf(list),
  ...ofRow(list),
})

export const presentItem = (item: ItemRow) => ({
  id: item.id,
  object: 'risk_list_item' as const,
  list_id: item.listId,
  value: item.value,
  reason: item.reason,
  payment_id: item.paymentId,
  expires_at: timeOf(item.expiresAt),
  status: item.status,
  author: authorOf(item),
  ...ofRow(item),
})

export const presentBacktest = (backtest: BacktestRow) => ({
  id: backtest.id,
  object: 'risk_backtest' as const,
  rule_id: backtest.ruleId,
  begins_on: backtest.beginsOn,
  ends_on: backtest.endsOn,
  tries_count: backtest.triesCount,
  matched_count: backtest.matchedCount,
  overruled_count: backtest.overruledCount,
  outcomes: backtest.outcomes.map(({ outcome, currency, payments, amount }) => ({
    outcome,
    currency,
    payments_count: payments,
    amount: toMinorString(BigInt(amount)),
  })),
  examples: [...backtest.examples],
  created_at: backtest.createdAt.toISOString(),
})

const levelOf = (score: number): 'low' | 'elevated' | 'high' =>
  score < 30 ? 'low' : score < 60 ? 'elevated' : 'high'

const presentEvaluation = (evaluation: EvaluationRow) => ({
  attempt_id: evaluation.id,
  evaluated_at: evaluation.createdAt.toISOString(),
  ...presentJudged(evaluation),
})

export const presentDryRun = (found: Judged) => ({
  object: 'risk_dry_run' as const,
  ...presentJudged(found),
})

function presentJudged({ decision, features, matches }: Judged) {
  const { score, points, lists, ...known } = features
  return {
    decision,
    score,
    level: levelOf(score),
    points: points.map(({ name, points }) => ({ name, points })),
    rules: matches.map(({ rule_id, action, status }) => ({ rule_id, action, status })),
    list_ids: [...lists],
    features: { ...known },
  }
}

export function presentRisk(paymentId: string, rows: readonly EvaluationRow[]) {
  const evaluations = rows.map(presentEvaluation)
  const last = evaluations.at(-1)
  return {
    object: 'payment_risk' as const,
    payment_id: paymentId,
    score: last?.score ?? null,
    level: last?.level ?? null,
    decision: last?.decision ?? null,
    evaluations,
  }
}

export const presentReview = (review: ReviewRow) => ({
  id: review.id,
  object: 'risk_review' as const,
  status: review.status,
  payment_id: review.paymentId,
  attempt_id: review.attemptId,
  amount: toMinorString(review.amountMinor),
  currency: review.currency,
  score: review.score,
  level: levelOf(review.score),
  expires_at: timeOf(review.expiresAt),
  note: review.note,
  decided_by:
    review.decidedByUserId === null || review.decidedByEmail === null
      ? null
      : { user_id: review.decidedByUserId, email: review.decidedByEmail },
  ended_at: timeOf(review.endedAt),
  ...ofRow(review),
})
