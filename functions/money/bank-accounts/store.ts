import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type BankAccountRow = typeof bankAccounts.$inferSelect

export const bankAccountById = rowsBy(bankAccounts, 'id')

export const bankAccountsPage = newest(bankAccounts, ['status'])

type Profile = Pick<typeof tenants.$inferSelect, 'fiscalProfile'>

export const fiscalProfileOf = select<Profile>(() =>
  build.select({ fiscalProfile: tenants.fiscalProfile }).from(tenants).where(ownTenant(tenants)),
)
