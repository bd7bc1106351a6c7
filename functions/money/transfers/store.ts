import { incomingTransfers, transfers } from '../../../drizzle/schema/transfers.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type TransferRow = typeof transfers.$inferSelect
export type IncomingTransferRow = typeof incomingTransfers.$inferSelect

export const transferById = rowsBy(transfers, 'id')

export const transfersPage = newest(transfers, ['status', 'destinationType'])

export const incomingTransfersPage = newest(incomingTransfers)

/** Whether the destination workspace exists and is open; true where none is named. */
export const workspaceIsOpen = (tenantId: string | null): BoundQuery<boolean> => ({
  text: 'select $1::text is null or door.workspace_is_open($1)',
  values: [tenantId],
  rows: (cells) => cells.map(([cell]) => cell === 't'),
})
