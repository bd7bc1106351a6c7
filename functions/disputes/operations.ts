import { operation } from '../../src/http/operation.ts'
import { getOperation, listOperation } from '../../src/http/reads.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import * as ofFraud from './contract-fraud.ts'
import { planEvidence } from './plan.ts'
import { presentDispute } from './present.ts'
import { presentFraudWarning } from './present-fraud.ts'
import { disputeById, disputesPage, fraudWarningById, fraudWarningsPage } from './store.ts'
import { sendEvidence } from './sync.ts'

const listDisputes = listOperation(contracts.list, disputesPage, presentDispute)

const getDispute = getOperation(contracts.get, disputeById, presentDispute)

const listFraudWarnings = listOperation(ofFraud.list, fraudWarningsPage, presentFraudWarning)

const getFraudWarning = getOperation(ofFraud.get, fraudWarningById, presentFraudWarning)

const submitEvidence = operation(contracts.submitEvidence, async (call) => {
  const [dispute] = await call.read(disputeById({ id: call.params.id }))
  if (!dispute) return call.fail('dispute_not_found')
  const evidence = sentFields(call.body)
  const plan = planEvidence(dispute, evidence, call.now)
  const reply = await call.publish(plan)
  if (!isRefusal(plan)) {
    const recorded = { ...dispute, evidence, version: dispute.version + 1 }
    call.later(sendEvidence(call, dispute.tenantId, recorded))
  }
  return reply
})

/** Only the fields that were sent. */
const sentFields = (body: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

export const operations = [listDisputes, getDispute, submitEvidence, listFraudWarnings, getFraudWarning]
