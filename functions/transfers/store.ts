import { and, desc, eq } from 'drizzle-orm'
import { incomingTransfers, transfers } from '../../drizzle/schema/transfers.ts'
import {
  type BoundQuery,
  build,
  inWindow,
  ownTenant,
  rowsLimit,
  select,
  slot,
} from '../../src/platform/query.ts'

export type TransferRow = typeof transfers.$inferSelect
export type IncomingTransferRow = typeof incomingTransfers.$inferSelect

export const transferById = select<TransferRow>(() =>
  build
    .select()
    .from(transfers)
    .where(and(ownTenant(transfers), eq(transfers.id, slot('id')))),
)

export const transfersPage = select<TransferRow>((has) =>
  build
    .select()
    .from(transfers)
    .where(
      and(
        ...inWindow(transfers, has),
        has('status') ? eq(transfers.status, slot('status')) : undefined,
        has('destinationType') ? eq(transfers.destinationType, slot('destinationType')) : undefined,
      ),
    )
    .orderBy(desc(transfers.createdAt), desc(transfers.id))
    .limit(rowsLimit),
)

export const incomingTransfersPage = select<IncomingTransferRow>((has) =>
  build
    .select()
    .from(incomingTransfers)
    .where(and(...inWindow(incomingTransfers, has)))
    .orderBy(desc(incomingTransfers.createdAt), desc(incomingTransfers.id))
    .limit(rowsLimit),
)

/** Whether the destination workspace exists and is open; true where none is named. */
export const workspaceIsOpen = (tenantId: string | null): BoundQuery<boolean> => ({
  text: 'select $1::text is null or door.workspace_is_open($1)',
  values: [tenantId],
  rows: (cells) => cells.map(([cell]) => cell === 't'),
})
