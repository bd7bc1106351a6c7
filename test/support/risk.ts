import { randomUUID } from 'node:crypto'
import type { Json } from '../../src/kernel/json.ts'
import { newProof } from './customer.ts'
import { call, type Reply } from './merchant.ts'
import { newGoverned } from './policy.ts'
import { adminSql } from './stack.ts'
import { newPlace, type Place, tries } from './stolen-cards.ts'

export type Guarded = Awaited<ReturnType<typeof newGoverned>>
/** A fresh workspace, and the admin who may make its rules. */
export const newGuarded = newGoverned

export type Made = {
  id: string
  status: string
  version: number
  error?: { code: string; param: string | null }
} & Record<string, unknown>

export type Evaluation = {
  attempt_id: string
  decision: string
  score: number
  points: { name: string; points: number }[]
  rules: { rule_id: string; action: string; status: string }[]
  list_ids: string[]
  features: Record<string, Json>
}
export type Risk = {
  score: number | null
  level: string | null
  decision: string | null
  evaluations: Evaluation[]
}

const actions: Record<string, string> = {
  lists: 'risk_list.create',
  items: 'risk_list_item.create',
  activate: 'risk_rule.activate',
  reject: 'risk_review.reject',
}

/** A request of the admin's, with a fresh proof where `proved` says what it is over. */
export const decide = async <Body = Made>(...asked: Parameters<typeof readyTo>): Promise<Reply<Body>> =>
  (await readyTo<Body>(...asked))()

/** The same as a function: each time that it is called the request is sent, under one key and with one proof. */
export async function readyTo<Body = Made>(
  { merchant, admin }: Guarded,
  path: string,
  body: Record<string, Json> = {},
  { proved, method = 'POST' }: { proved?: Json; method?: 'POST' | 'PUT' } = {},
): Promise<() => Promise<Reply<Body>>> {
  const key = randomUUID()
  const action = actions[path.split('/').at(-1)!]
  const proof =
    proved === undefined
      ? {}
      : {
          'x-sp-step-up-token': await newProof(admin, merchant, {
            action: action!,
            scope: action === 'risk_review.reject' ? 'refunds:write' : 'policies:write',
            key,
            params: proved,
          }),
        }
  return () =>
    call<Body>(method, `/v1/intelligence/${path}`, {
      bearer: admin.token,
      headers: { 'idempotency-key': key, ...proof },
      body: { tenant_id: merchant.tenantId, ...body },
    })
}

export const seen = <Body = Made>({ merchant }: Guarded, path: string) =>
  call<Body>('GET', `/v1/intelligence/${path}`, { bearer: merchant.apiKey })

export const newRule = async (guarded: Guarded, condition: Json, action = 'block'): Promise<string> => {
  const { body, status, text } = await decide(guarded, 'rules', {
    name: 'A rule',
    action,
    condition,
    reason: 'Because.',
  })
  if (status !== 201) throw new Error(text)
  return body.id
}

export const activate = (guarded: Guarded, id: string) =>
  decide(guarded, `rules/${id}/activate`, {}, { proved: { rule_id: id } })

/** A rule that is asked and decides nothing. */
export async function shadowed(guarded: Guarded, condition: Json, action = 'block'): Promise<string> {
  const id = await newRule(guarded, condition, action)
  await decide(guarded, `rules/${id}/shadow`)
  return id
}

/** As if a rule had been in shadow for a day. */
export const aDayPasses = (id: string) =>
  adminSql('sandbox')(`update risk_rules set shadowed_at = shadowed_at - interval '1 day' where id = $1`, [
    id,
  ])

/** A rule that decides. */
export async function inForce(guarded: Guarded, condition: Json, action = 'block'): Promise<string> {
  const id = await shadowed(guarded, condition, action)
  await aDayPasses(id)
  const { status, text } = await activate(guarded, id)
  if (status !== 200) throw new Error(text)
  return id
}

export async function newList(guarded: Guarded, kind: string, effect = 'none'): Promise<string> {
  const proved = { name: 'A list', kind, effect }
  const { body, status, text } = await decide(guarded, 'lists', proved, { proved })
  if (status !== 201) throw new Error(text)
  return body.id
}

export const addItem = (
  guarded: Guarded,
  list: string,
  named: { value: string } | { payment_id: string },
  { reason, ...end }: { reason?: string; expires_at?: string } = {},
) =>
  decide(
    guarded,
    `lists/${list}/items`,
    { ...named, ...end, ...(reason ? { reason } : {}) },
    { proved: { list_id: list, ...named, ...end } },
  )

export const riskOf = async (guarded: Guarded, paymentId: string) =>
  (await seen<Risk>(guarded, `payments/${paymentId}/risk`)).body

/** Tries a card at a new link of the merchant's. Answers the payment, and how it was judged. */
export async function tried(guarded: Guarded, token = 'tok_sbx_approve', email?: string, at?: Place) {
  const place = at ?? (await newPlace(guarded.merchant))
  await tries(place, token, email)
  const [payment] = await paymentsAt(place)
  return { ...payment!, place, risk: await riskOf(guarded, payment!.id) }
}

/** What the rules of now would decide. */
export const dryRun = ({ merchant }: Guarded, body: Record<string, Json>) =>
  call<Omit<Evaluation, 'attempt_id'> & Made>('POST', '/v1/intelligence/risk-evaluations', {
    bearer: merchant.apiKey,
    body,
  })

/** A workspace whose rule sends each Visa card to review. */
export async function newReviewing(): Promise<Guarded> {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_brand', is: 'visa' }, 'review')
  return guarded
}
/** The fields of a link whose card is authorized first. */
export const manual = { capture_method: 'manual', payment_method_types: ['card'] }

/** A payment that a rule sent to review, and its review. */
export async function reviewed(guarded: Guarded, fields: object = {}, token = 'tok_sbx_approve') {
  const [paid] = [await tried(guarded, token, 'ana@example.com', await newPlace(guarded.merchant, fields))]
  return { ...paid, review: (await reviewsOf(guarded)).find((each) => each.payment_id === paid.id)! }
}

export const reviewsOf = async (guarded: Guarded, query = '') =>
  (await seen<{ data: Made[] }>(guarded, `reviews${query}`)).body.data

export const approve = (guarded: Guarded, id: string, note?: string) =>
  decide(guarded, `reviews/${id}/approve`, note === undefined ? {} : { note })

export const readyToReject = (guarded: Guarded, id: string) =>
  readyTo(guarded, `reviews/${id}/reject`, {}, { proved: { review_id: id } })
export const reject = async (guarded: Guarded, id: string) => (await readyToReject(guarded, id))()

/** What was tried at a link, the newest first. */
export const paymentsAt = ({ link }: Place) =>
  adminSql('sandbox')<{ id: string; public_id: string; status: string; decline_code: string | null }>(
    'select id, public_id, status, decline_code from payments where origin_id = $1 order by created_at desc, id desc',
    [link.id],
  )
