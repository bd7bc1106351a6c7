import type { RiskCondition } from '../../../drizzle/schema/risk.ts'
import { daysAsked } from '../../../src/http/days.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { firstIdAt } from '../../../src/kernel/ids.ts'
import { networkOf } from '../../../src/kernel/network.ts'
import { conditionsOf, type Rule } from '../../../src/kernel/rule.ts'
import { digestOfAddress, digestOfNetwork } from '../../page/hosted-payment/api.ts'
import * as contracts from './contract.ts'
import { dryRun } from './contract-dry-runs.ts'
import * as lists from './contract-lists.ts'
import { paymentRisk } from './contract-payments.ts'
import {
  planActivateRule,
  planAddItem,
  planBacktest,
  planCreateList,
  planCreateRule,
  planDeleteList,
  planRemoveItem,
  planRetireRule,
  planShadowRule,
  planUpdateRule,
} from './plan.ts'
import {
  presentBacktest,
  presentDryRun,
  presentItem,
  presentList,
  presentRisk,
  presentRule,
} from './present.ts'
import {
  askedAgain,
  askedOf,
  backtestById,
  backtestsPage,
  customerById,
  evaluationsOf,
  itemById,
  itemsPage,
  listById,
  listsNamed,
  listsPage,
  paymentExists,
  ruleById,
  rulesPage,
  tested,
  valuesOf,
} from './store.ts'
import { formOf, readValue, valueIn } from './values.ts'

/** The lists that a condition asks, by their ids, as the database takes them. */
const listsIn = (condition: Rule<RiskCondition>) => [
  ...new Set(conditionsOf(condition).flatMap((asked) => (asked.type === 'in_list' ? [asked.list_id] : []))),
]
const idsOf = (ids: readonly string[]) => ({ ids: `{${ids.join()}}` })

const createRule = operation(contracts.createRule, async (call) => {
  const wanted = listsIn(call.body.condition)
  const [found, author] = await Promise.all([
    wanted.length === 0 ? [] : call.read(listsNamed(idsOf(wanted))),
    call.session(),
  ])
  if (found.length < wanted.length) return call.fail('risk_list_not_found', { param: 'condition' })
  return call.publish(planCreateRule(call.body, author, call))
})

const updateRule = operation(contracts.updateRule, async (call) => {
  const wanted = listsIn(call.body.condition)
  const [[rule], found] = await call.readAll(ruleById(call.params), listsNamed(idsOf(wanted)))
  if (!rule) return call.fail('risk_rule_not_found')
  if (found.length < wanted.length) return call.fail('risk_list_not_found', { param: 'condition' })
  return call.publish(planUpdateRule(rule, call.body, call))
})

const createBacktest = operation(contracts.createBacktest, async (call) => {
  const { beginsOn, endsOn, begins, ends } = daysAsked(call.body, call, contracts.backtestDays)
  const firstId = firstIdAt(begins.getTime())
  const [[rule], [found]] = await call.readAll(
    ruleById(call.params),
    tested({ ...call.params, begins, ends, firstId, endId: firstIdAt(ends.getTime()) }),
  )
  if (!rule) return call.fail('risk_rule_not_found')
  return call.publish(
    planBacktest(
      { ...found!, ruleId: rule.id, condition: rule.condition, action: rule.action, beginsOn, endsOn },
      call,
    ),
  )
})

const createList = operation(
  lists.createList,
  async (call) => call.publish(planCreateList(call.body, await call.session(), call)),
  ({ body: { name, kind, effect } }) => ({ name, kind, effect }),
)

const addItem = operation(
  lists.createItem,
  async (call) => {
    const { value: typed, payment_id: paymentId = null } = call.body
    const [[[list], [payment], [customer]], author] = await Promise.all([
      call.readAll(
        listById(call.params),
        valuesOf({ id: paymentId }),
        customerById({ id: typed === undefined ? null : readValue('customer', typed) }),
      ),
      call.session(),
    ])
    if (!list) return call.fail('risk_list_not_found')
    if (paymentId !== null && !payment) return call.fail('payment_not_found', { param: 'payment_id' })
    const value = typed === undefined ? valueIn(list.kind, payment!) : readValue(list.kind, typed)
    if (value === null && typed === undefined) return call.fail('risk_value_missing', { param: 'payment_id' })
    if (value === null)
      return call.fail('parameter_invalid', {
        param: 'value',
        message: `value must be ${formOf(list.kind)}.`,
      })
    if (typed !== undefined && list.kind === 'customer' && !customer)
      return call.fail('customer_not_found', { param: 'value' })
    return call.publish(planAddItem({ list, value, paymentId, author }, call.body, call))
  },
  ({ params: { id }, body: { value, payment_id, expires_at } }) => ({
    list_id: id,
    ...(value === undefined ? {} : { value }),
    ...(payment_id === undefined ? {} : { payment_id }),
    ...(expires_at === undefined ? {} : { expires_at }),
  }),
)

const preview = operation(dryRun, async (call) => {
  const { payment_id: id, described } = call.body
  if (!described) {
    const [[payment], [found]] = await call.readAll(paymentExists({ id }), askedAgain({ id }))
    if (!payment) return call.fail('payment_not_found', { param: 'payment_id' })
    return found ? presentDryRun(found) : call.fail('risk_payment_not_judged', { param: 'payment_id' })
  }
  const { email = null, ip, customer_id: customerId = null, card, origin_type, amount, ...sum } = described
  const [contact_digest, network_digest] = await Promise.all([
    email === null ? null : digestOfAddress(call.services, email),
    ip === undefined ? null : digestOfNetwork(call.services, networkOf(ip)),
  ])
  const asked = {
    try: {
      ...sum,
      amount,
      origin_type,
      card_brand: card.brand,
      card_funding: card.funding,
      card_bin: card.bin,
    },
    bin: card.bin,
    last4: card.last4,
    email,
    customer_id: customerId,
    contact_digest,
    network_digest,
  }
  const [[customer], [found]] = await call.readAll(
    customerById({ id: customerId }),
    askedOf({ described: JSON.stringify(asked) }),
  )
  if (customerId !== null && !customer)
    return call.fail('customer_not_found', { param: 'described.customer_id' })
  return presentDryRun(found!)
})

const getRisk = operation(paymentRisk, async (call) => {
  const [[payment], evaluations] = await call.readAll(paymentExists(call.params), evaluationsOf(call.params))
  return payment ? presentRisk(payment.id, evaluations) : call.fail('payment_not_found')
})

export const operations = [
  createRule,
  listOperation(contracts.listRules, rulesPage, presentRule),
  getOperation(contracts.getRule, ({ id }) => ruleById({ id }), presentRule),
  updateRule,
  changeOperation(contracts.shadowRule, ruleById, planShadowRule),
  changeOperation(contracts.activateRule, ruleById, planActivateRule, ({ params: { id } }) => ({
    rule_id: id,
  })),
  changeOperation(contracts.retireRule, ruleById, planRetireRule),
  createBacktest,
  listOperation(contracts.listBacktests, backtestsPage, presentBacktest, {
    values: ({ params: { id } }) => ({ ruleId: id }),
    within: ({ id }) => ({ query: ruleById({ id }), missing: 'risk_rule_not_found' }),
  }),
  getOperation(contracts.getBacktest, ({ id }) => backtestById({ id }), presentBacktest),
  createList,
  listOperation(lists.lists, listsPage, presentList),
  getOperation(lists.getList, ({ id }) => listById({ id }), presentList),
  changeOperation(lists.deleteList, listById, planDeleteList),
  addItem,
  listOperation(lists.listItems, itemsPage, presentItem, {
    values: ({ params: { id } }) => ({ listId: id }),
    within: ({ id }) => ({ query: listById({ id }), missing: 'risk_list_not_found' }),
  }),
  getOperation(lists.getItem, ({ id }) => itemById({ id }), presentItem),
  changeOperation(lists.removeItem, itemById, planRemoveItem),
  getRisk,
  preview,
]
