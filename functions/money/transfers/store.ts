import { incomingTransfers, transfers } from '../../../drizzle/schema/transfers.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type TransferRow = typeof transfers.$inferSelect
export type IncomingTransferRow = typeof incomingTransfers.$inferSelect

export const transferById = rowsBy(transfers, 'id')

export const transfersPage = newest(transfers, ['status', 'destinationType'])

export const incomingTransfersPage = newest(incomingTransfers)
