/** The rules of the books about vouchers, bank transfers and the money that they left over: see book-rules.ts. */
export const cashRules: Readonly<Record<string, string>> = {
  'voucher paid, and not booked exactly once': `
    select v.id::text from vouchers v where v.tenant_id = $1 and (v.status = 'paid')::int <>
      (select count(*) from payment_attempts a where a.tenant_id = v.tenant_id and a.id = v.attempt_id and a.status = 'captured'
        and not exists (select from unapplied_funds_applications x where x.tenant_id = a.tenant_id and x.attempt_id = a.id))
      + (select count(*) from ledger_journals j where j.tenant_id = v.tenant_id and j.source_type = 'voucher' and j.source_id = v.id)`,
  'voucher booked without the same cash at the processor': `
    select v.id::text from vouchers v where v.tenant_id = $1 and v.status = 'paid' and not exists
      (select from simulator.vouchers s where s.reference = v.attempt_id and s.number = v.reference and s.state = 'paid'
        and s.reported_minor = v.amount_minor and s.currency = v.currency)`,
  'cash at the processor that we closed our books on': `
    select a.id::text from payment_attempts a
    join simulator.vouchers s on s.reference = a.id and s.state = 'paid'
    left join vouchers v on v.tenant_id = a.tenant_id and v.attempt_id = a.id
    where a.tenant_id = $1 and a.next_check_at is null and a.status not in ('captured', 'amount_mismatch')
      and a.resolution is distinct from 'settled_elsewhere' and v.status is distinct from 'paid'`,
  'voucher that is out while its attempt is over': `
    select v.id::text from vouchers v join payment_attempts a on a.tenant_id = v.tenant_id and a.id = v.attempt_id
    where v.tenant_id = $1 and v.status = 'issued' and a.status not in ('pending_customer', 'amount_mismatch')`,
  'more than one voucher out on a single-use link': `
    select l.id::text from payment_links l where l.tenant_id = $1 and l.usage = 'single_use'
      and (select count(*) from vouchers v join payments p on p.tenant_id = v.tenant_id and p.id = v.payment_id
        where v.tenant_id = l.tenant_id and p.origin_id = l.id and v.status = 'issued') > 1`,
  'deposits are not what was received or is unapplied': `
    select d.id::text from spei_deposits d where d.tenant_id = $1 and d.applied_minor < d.amount_minor
      and not exists (select from unapplied_funds u where u.tenant_id = d.tenant_id and u.deposit_id = d.id)`,
  'received is not what was counted': `
    select p.id::text from payments p
    join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id and a.method = 'spei'
      and a.status in ('pending_customer', 'captured')
    where p.tenant_id = $1 and p.amount_received_minor <>
      coalesce((select sum(d.applied_minor - coalesce((select sum(apart.amount_minor) from unapplied_funds apart
          where apart.tenant_id = d.tenant_id and apart.deposit_id = d.id and apart.movement_id is not null), 0))
        from spei_deposits d join clabes c on c.tenant_id = d.tenant_id and c.clabe = d.clabe and c.attempt_id = a.id
        where d.tenant_id = p.tenant_id and d.payment_id = p.id and not exists (select from unapplied_funds i
          where i.tenant_id = d.tenant_id and i.deposit_id = d.id and i.reason = 'incomplete' and i.movement_id is null)), 0)
      + coalesce((select sum(u.amount_minor) from unapplied_funds_applications u
        where u.tenant_id = p.tenant_id and u.attempt_id = a.id), 0)`,
  'received by a payment that is over unpaid': `
    select id::text from payments where tenant_id = $1 and amount_received_minor <> 0
      and status not in ('requires_action', 'succeeded')`,
  'remaining is not what was neither applied nor refunded nor withdrawn': `
    select u.id::text from unapplied_funds u where u.tenant_id = $1 and u.remaining_minor <> u.amount_minor
      - coalesce((select sum(x.amount_minor) from unapplied_funds_applications x
          join payment_attempts a on a.tenant_id = x.tenant_id and a.id = x.attempt_id
          where x.tenant_id = u.tenant_id and x.unapplied_funds_id = u.id and a.status in ('pending_customer', 'captured')), 0)
      - coalesce((select sum(r.amount_minor) from refunds r where r.tenant_id = u.tenant_id
          and r.unapplied_funds_id = u.id and r.status not in ('failed', 'canceled')), 0)
      - coalesce((select sum(w.amount_minor) from unapplied_funds_withdrawals w
          where w.tenant_id = u.tenant_id and w.unapplied_funds_id = u.id), 0)`,
  'a movement of a buyer’s balance did not book what it took, brought and left below zero': `
    select m.id::text from buyer_balance_movements m where m.tenant_id = $1 and
      (select (count(distinct j.id), coalesce(sum(p.amount_minor) filter (where p.account_code = 'unapplied_funds'), 0),
          coalesce(sum(p.amount_minor) filter (where p.account_code = 'buyer_overdrafts'), 0))
        from ledger_journals j join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
        where j.tenant_id = m.tenant_id and j.source_type = 'buyer_balance_movement' and j.source_id = m.id
          and j.entry_kind = m.kind)
      <> (1::bigint,
        coalesce((select sum(u.amount_minor) from unapplied_funds u
          where u.tenant_id = m.tenant_id and u.movement_id = m.id and u.deposit_id is null), 0)
        - coalesce((select sum(w.amount_minor) from unapplied_funds_withdrawals w
          where w.tenant_id = m.tenant_id and w.movement_id = m.id), 0),
        (sign(m.change_minor) * m.below_zero_minor)::numeric)`,
  'funds settled with something left, or open with nothing': `
    select id::text from unapplied_funds where tenant_id = $1 and (status = 'settled') <> (remaining_minor = 0)`,
  'CLABE that is out while its attempt is over': `
    select c.id::text from clabes c join payment_attempts a on a.tenant_id = c.tenant_id and a.id = c.attempt_id
    where c.tenant_id = $1 and c.status = 'assigned' and a.status not in ('pending_customer', 'amount_mismatch')`,
  'transfer confirmed to the processor and not booked': `
    select s.deposit_ref::text from simulator.spei_deposits s
    where s.account = door.workspace_id($1) and s.confirmed_at is not null and not exists (select from spei_deposits d
      where d.tenant_id = door.workspace_key(s.account) and (d.clave_rastreo = s.clave_rastreo
          or s.clave_rastreo ~ '^[0-9]{13,19}$' and d.clave_rastreo like 'MASKED%') and d.sender_bank = s.sender_bank
        and d.operated_on = s.operated_on and d.clabe = s.clabe and d.amount_minor = s.amount_minor)`,
  'deposit without its one journal': `
    select d.id::text from spei_deposits d where d.tenant_id = $1 and (select count(*) from ledger_journals j
      where j.tenant_id = d.tenant_id and j.source_type = 'spei_deposit' and j.source_id = d.id) <> 1`,
}
