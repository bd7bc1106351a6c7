import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planLift } from './plan.ts'
import { presentMail, presentSuppression } from './present.ts'
import { mailById, mailsPage, suppressionById, suppressionsPage } from './store.ts'

const list = listOperation(contracts.list, suppressionsPage, presentSuppression)

const lift = operation(contracts.lift, async (call) => {
  const [suppression] = await call.read(suppressionById(call.params))
  return suppression ? call.publish(planLift(suppression, call.now)) : call.fail('mail_suppression_not_found')
})

const listMails = listOperation(contracts.listMails, mailsPage, presentMail)
const getMail = getOperation(contracts.getMail, ({ id }) => mailById({ id }), presentMail)

export const operations = [list, lift, listMails, getMail]
