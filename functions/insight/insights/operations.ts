import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planAnswer } from './plan.ts'
import { presentInsight } from './present.ts'
import { insightById, insightsPage } from './store.ts'

const answering = (how: 'acknowledge' | 'dismiss') =>
  operation(contracts[how], async (call) => {
    const [[insight], author] = await Promise.all([call.read(insightById(call.params)), call.session()])
    if (!insight) return call.fail('insight_not_found')
    return call.publish(planAnswer(insight, how, author, call))
  })

export const operations = [
  listOperation(contracts.list, insightsPage, presentInsight),
  getOperation(contracts.get, insightById, presentInsight),
  answering('acknowledge'),
  answering('dismiss'),
]
