import { getOperation, listOperation } from '../../src/http/reads.ts'
import { toMinorString } from '../../src/kernel/money.ts'
import * as contracts from './contract-deposits.ts'
import { type DepositRow, depositById, depositsPage } from './store.ts'

export const listDeposits = listOperation(contracts.list, depositsPage, presentDeposit)

export const getDeposit = getOperation(contracts.get, depositById, presentDeposit)

function presentDeposit(deposit: DepositRow) {
  return {
    id: deposit.id,
    object: 'spei_deposit' as const,
    clabe: deposit.clabe,
    payment_id: deposit.paymentId,
    amount: toMinorString(deposit.amountMinor),
    applied: toMinorString(deposit.appliedMinor),
    currency: deposit.currency,
    clave_rastreo: deposit.claveRastreo,
    sender_bank: deposit.senderBank,
    sender_clabe: deposit.senderClabe,
    sender_name: deposit.senderName,
    operation_date: deposit.operationDate,
    created_at: deposit.createdAt.toISOString(),
  }
}
