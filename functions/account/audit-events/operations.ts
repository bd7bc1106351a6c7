import { operation } from '../../../src/http/operation.ts'
import { listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { presentAuditEvent, presentVerification } from './present.ts'
import { auditEventsPage, verification } from './store.ts'

const listAuditEvents = listOperation(contracts.list, auditEventsPage, presentAuditEvent)

const verifyAuditEvents = operation(contracts.verify, async ({ query, read }) => {
  const [found] = await read(verification(query.after_sequence, query.after_digest))
  return presentVerification(found!)
})

export const operations = [listAuditEvents, verifyAuditEvents]
