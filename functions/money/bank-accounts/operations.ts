import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { processorOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { newAccount, planCreate, planDisable } from './plan.ts'
import { presentBankAccount } from './present.ts'
import { bankAccountById, bankAccountsPage, fiscalProfileOf } from './store.ts'
import { verifyAccount } from './verification.ts'

const createBankAccount = operation(
  contracts.create,
  async (call) => {
    const { tenant_id: tenantId, clabe, holder } = call.body
    const [[profile], { email }] = await Promise.all([call.read(fiscalProfileOf()), call.session()])
    const legalName = profile?.fiscalProfile?.legal_name ?? null
    const hasBank = processorOf(call.services)?.bank !== undefined
    const account = newAccount({ tenantId, clabe, holder, legalName, hasBank }, call)
    const { environment } = call.settings
    const reply = await call.publish(planCreate(account, { email, environment }, call))
    call.services.sendMails()
    if (hasBank) call.later(verifyAccount(call, account))
    return reply
  },
  ({ body: { clabe, holder } }) => ({ clabe, holder }),
)

export const operations = [
  createBankAccount,
  listOperation(contracts.list, bankAccountsPage, presentBankAccount),
  getOperation(contracts.get, ({ id }) => bankAccountById({ id }), presentBankAccount),
  changeOperation(contracts.disable, bankAccountById, planDisable, ({ params: { id } }) => ({
    bank_account_id: id,
  })),
]
