import { cancelRefund, createRefund, getRefund, listRefunds, setRefundDestination } from './operations.ts'

export const refundOperations = [createRefund, listRefunds, getRefund, cancelRefund, setRefundDestination]
