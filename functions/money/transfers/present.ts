import { cepOfSent } from '../../../src/kernel/cep.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { IncomingTransferRow, TransferRow } from './store.ts'

export function presentTransfer(transfer: TransferRow) {
  return {
    id: transfer.id,
    object: 'transfer' as const,
    status: transfer.status,
    amount: toMinorString(transfer.amountMinor),
    currency: transfer.currency,
    destination: destinationOf(transfer),
    concept: transfer.concept,
    metadata: transfer.metadata,
    clave_rastreo: transfer.claveRastreo,
    cep: cepOfSent(
      transfer.claveRastreo,
      transfer.destinationClabe,
      transfer.status === 'paid' ? transfer.resolvedAt : null,
    ),
    return_clave_rastreo: transfer.returnClaveRastreo,
    failure_code: transfer.failureCode,
    approved_at: transfer.approvedAt?.toISOString() ?? null,
    resolved_at: transfer.resolvedAt?.toISOString() ?? null,
    created_at: transfer.createdAt.toISOString(),
    updated_at: transfer.updatedAt.toISOString(),
  }
}

const destinationOf = ({ destinationClabe, destinationHolder, destinationTenantId }: TransferRow) =>
  destinationTenantId === null
    ? { type: 'clabe' as const, clabe: destinationClabe!, holder: destinationHolder! }
    : { type: 'tenant' as const, tenant_id: destinationTenantId }

export const presentIncomingTransfer = (transfer: IncomingTransferRow) => ({
  id: transfer.id,
  object: 'incoming_transfer' as const,
  amount: toMinorString(transfer.amountMinor),
  currency: transfer.currency,
  source: { tenant_id: transfer.sourceTenantId, transfer_id: transfer.sourceTransferId },
  concept: transfer.concept,
  created_at: transfer.createdAt.toISOString(),
})
