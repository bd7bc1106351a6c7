import { operation } from '../../../src/http/operation.ts'
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

const listBankAccounts = listOperation(contracts.list, bankAccountsPage, presentBankAccount)
const getBankAccount = getOperation(contracts.get, ({ id }) => bankAccountById({ id }), presentBankAccount)

const disableBankAccount = operation(
  contracts.disable,
  async (call) => {
    const [account] = await call.read(bankAccountById({ id: call.params.id }))
    return account ? call.publish(planDisable(account, call)) : call.fail('bank_account_not_found')
  },
  ({ params }) => ({ bank_account_id: params.id }),
)

export const operations = [createBankAccount, listBankAccounts, getBankAccount, disableBankAccount]
