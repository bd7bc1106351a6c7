import { uuidv7 } from '../../../src/kernel/ids.ts'
import { accountOf, newBankAccount } from '../../support/bank-accounts.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { payOut, settingsFor } from '../../support/payouts.ts'
import { adminSql } from '../../support/stack.ts'
import { endow } from '../../support/transfers.ts'
import { inTurn, once, withKey } from '../listing.ts'
import { payout, toPayOut } from '../resources.ts'
import type { AreaSamples, ListWorld } from '../samples.ts'

async function payOneOut(world: ListWorld): Promise<void> {
  await once(world, 'settings', () => settingsFor(world.merchant))
  await endow(world.merchant, 1_000n)
  const { status, text } = await payOut(world.merchant)
  if (status !== 201) throw new Error(`no payout: ${status} ${text}`)
}

/**
 * A payout with the link's id, so that its path is known, and one more entry of it, written straight into the books.
 */
async function addEntry(world: ListWorld): Promise<void> {
  const { tenantId } = world.merchant
  writtenByHand(tenantId)
  await once(world, 'settings', () => settingsFor(world.merchant))
  await endow(world.merchant, 1_000n)
  const [activity] = await adminSql('sandbox')<{ id: string; source_id: string }>(
    'select id, source_id from balance_activity where tenant_id = $1 and payout_id is null',
    [tenantId],
  )
  const entry = `insert into payout_entries (tenant_id, id, payout_id, activity_id, kind, source_type, source_id,
      gross_minor, fee_minor, net_minor, currency, created_at)
    values ($1, $2, $3, $4, 'incoming_transfer', 'incoming_transfer', $5, 1000, 0, 1000, 'mxn', clock_timestamp())`
  const values = [tenantId, uuidv7(Date.now()), world.link.id, activity!.id, activity!.source_id]
  if ((world.merchant as { hasPayout?: true }).hasPayout)
    return void (await adminSql('sandbox')(entry, values))
  ;(world.merchant as { hasPayout?: true }).hasPayout = true
  await adminSql('sandbox')(
    `with payout as (insert into payouts (tenant_id, id, status, amount_minor, currency, gross_minor, fee_minor,
        entries_count, destination_clabe, destination_holder, processor, checks_count, created_at, updated_at)
      values ($1, $3, 'pending', 1000, 'mxn', 1000, 0, 1, '${accountOf('99')}', 'Café Azul', 'simulator', 0, now(), now())),
     journal as (insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
      values ($1, $3, 'payout', $3, 'payout', 'mxn', clock_timestamp())),
     postings as (insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
      values ($1, $3, 1, 'mxn', 'merchant_available', -1000), ($1, $3, 2, 'mxn', 'payouts_in_flight', 1000))
     ${entry}`,
    values,
  )
}

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/payouts/': payout,
  },
  prepare: {
    'payouts.create': (world) => toPayOut(world),
    'payout_settings.update': async ({ merchant }, ready) => {
      const { id } = await newBankAccount(merchant)
      ready.body = { ...ready.body, bank_account_id: id }
    },
  },
  lists: {
    'balance_activity.list': withKey('/v1/payment-operations/balance-activity', ({ merchant }) =>
      endow(merchant, 1_000n),
    ),
    'payouts.list': withKey('/v1/payment-operations/payouts', (world) =>
      inTurn(world, () => payOneOut(world)),
    ),
    'payouts.list_entries': withKey(
      ({ link }) => `/v1/payment-operations/payouts/${link.id}/entries`,
      (world) => inTurn(world, () => addEntry(world)),
    ),
  },
}
