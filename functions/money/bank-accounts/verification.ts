import type { BackgroundWork, JobRun } from '../../../src/http/system-call.ts'
import type { BankState } from '../../../src/processors/port.ts'
import { handleOrderNotification, type Orders, resolveOrders, sendOrder } from '../bank-orders/api.ts'
import { processorOf } from '../payments/api.ts'
import { outcome } from './contract.ts'
import { planDeposit, planNextPoll } from './plan.ts'
import { type BankAccountRow, bankAccountById } from './store.ts'

/** The text on the merchant's statement; banks carry no accents. */
const concept = 'Verificacion Spindle'

/** One centavo of ours: who receives it is whom the account belongs to. */
const amountMinor = 1n
const currency = 'mxn'

const ordersOf = ({ services: { settings } }: BackgroundWork): Orders<BankAccountRow, BankState> => ({
  table: 'bank_accounts',
  operation: outcome,
  rowOf: (account) => account,
  load: async ({ read }, id) => (await read(outcome, bankAccountById({ id })))[0][0],
  async send({ services }, { id: reference, clabe, holder }) {
    const bank = processorOf(services)?.bank
    if (!bank) return { state: 'unknown' }
    const sent = await bank.send({ reference, amountMinor, currency, clabe, holder, concept })
    // SPEI takes seconds: a person waits for this one.
    return sent.state === 'processing' ? bank.fetchOrder(reference) : sent
  },
  poll: async (services, { id }) =>
    (await processorOf(services)?.bank?.fetchOrder(id)) ?? { state: 'unknown' },
  isOnItsWay: ({ status }) => status === 'pending_verification',
  planOutcome: (account, state, clock) => planDeposit(account, state, settings.payoutCoolDownHours, clock),
  planNextPoll,
})

/** Sends the deposit that verifies a recorded account, and applies the answer. */
export const verifyAccount = (work: BackgroundWork, account: BankAccountRow): Promise<void> =>
  sendOrder(work, ordersOf(work), account)

export const resolveBankAccounts = (run: JobRun): Promise<void> => resolveOrders(run, ordersOf(run))

export const handleBankAccountNotification = (work: BackgroundWork, id: string): Promise<void> =>
  handleOrderNotification(work, ordersOf(work), id)
