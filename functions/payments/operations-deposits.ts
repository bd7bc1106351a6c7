import { operation } from '../../src/http/operation.ts'
import { toMinorString } from '../../src/kernel/money.ts'
import * as contracts from './contract-deposits.ts'
import { type DepositRow, depositById, depositsPage } from './store.ts'

export const listDeposits = operation(contracts.list, ({ query, list }) =>
  list((window) => depositsPage({ ...window, paymentId: query.payment_id }), presentDeposit),
)

export const getDeposit = operation(contracts.get, async ({ params, read, fail }) => {
  const [deposit] = await read(depositById({ id: params.id }))
  return deposit ? presentDeposit(deposit) : fail('spei_deposit_not_found')
})

const presentDeposit = (deposit: DepositRow) => ({
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
})
