import { getDispute, listDisputes, submitEvidence } from './operations.ts'

export const disputeOperations = [listDisputes, getDispute, submitEvidence]
