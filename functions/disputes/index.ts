import { getDispute, listDisputes, submitEvidence } from './operations.ts'

export const operations = [listDisputes, getDispute, submitEvidence]
