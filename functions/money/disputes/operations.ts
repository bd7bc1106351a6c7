import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import type { BackgroundWork } from '../../../src/http/system-call.ts'
import { isRefusal, type Plan, type Refusal } from '../../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import * as ofFraud from './contract-fraud.ts'
import { fileOperations } from './operations-files.ts'
import { planAccept, planEvidence } from './plan-answer.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import { presentFraudWarning } from './present-fraud.ts'
import {
  type DisputeRow,
  disputeById,
  disputesPage,
  fraudWarningById,
  fraudWarningsPage,
  storedFilesOf,
} from './store.ts'
import { tellProcessor } from './sync.ts'

const listDisputes = listOperation(contracts.list, disputesPage, presentDispute)

const getDispute = getOperation(contracts.get, disputeById, presentDispute)

const listFraudWarnings = listOperation(ofFraud.list, fraudWarningsPage, presentFraudWarning)

const getFraudWarning = getOperation(ofFraud.get, fraudWarningById, presentFraudWarning)

const recordsEvidence = (declared: typeof contracts.submitEvidence, pendingAction: 'submit' | 'draft') =>
  operation(declared, async (call) => {
    const { id } = call.params
    const { files: sent = {}, ...texts } = call.body
    const [evidence, named] = [sentFields(texts), sentFields(sent)]
    const [[dispute], stored] = await call.readAll(
      disputeById({ id }),
      storedFilesOf({ disputeId: id, status: 'stored' }),
    )
    if (!dispute) return call.fail('dispute_not_found')
    const plan = planEvidence(dispute, { texts: evidence, named, stored }, pendingAction, call.now)
    return publishAndTell(call, plan, { ...dispute, evidence, evidenceFiles: named, pendingAction })
  })

const acceptDispute = operation(contracts.accept, async (call) => {
  const [dispute] = await call.read(disputeById({ id: call.params.id }))
  if (!dispute) return call.fail('dispute_not_found')
  return publishAndTell(call, planAccept(dispute, call.now), { ...dispute, pendingAction: 'accept' })
})

interface Telling<Reply, Code extends string> extends BackgroundWork {
  readonly later: (work: Promise<unknown>) => void
  readonly publish: (plan: Plan<DisputeReply> | Refusal<Code>) => Promise<Reply>
}

/** Replies as soon as it is recorded; the processor is called after the reply. */
async function publishAndTell<Reply, Code extends string>(
  call: Telling<Reply, Code>,
  plan: Plan<DisputeReply> | Refusal<Code>,
  recorded: DisputeRow & { readonly tenantId: string },
): Promise<Reply> {
  const reply = await call.publish(plan)
  const dispute = { ...recorded, version: recorded.version + 1 }
  if (!isRefusal(plan)) call.later(tellProcessor(call, dispute.tenantId, dispute))
  return reply
}

/** Only the fields that were sent. */
const sentFields = (body: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

export const operations = [
  listDisputes,
  getDispute,
  recordsEvidence(contracts.submitEvidence, 'submit'),
  recordsEvidence(contracts.draftEvidence, 'draft'),
  acceptDispute,
  listFraudWarnings,
  getFraudWarning,
  ...fileOperations,
]
