/**
 * What an auditor checks who knows the books and the bank's own statement (the tables of the simulated outside world),
 * and nothing of the product: in plain SQL, over all merchants at once or `$1` of them, true once everything that is
 * due has been done. Each rule returns a merchant, which may be null, and what breaks the rule.
 */

/** Charges that took money and whose money is in the books; those under review or closed by one are not. */
const booked = `select a.tenant_id, a.id, a.payment_id, p.amount_captured_minor, c.currency,
    coalesce(c.captured_minor, c.amount_minor) as taken_minor
  from simulator.charges c join payment_attempts a on a.id = c.reference
  join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id
  where c.state = 'captured' and a.status <> 'amount_mismatch'
    and coalesce(a.resolution, 'agreed') not in ('refunded', 'settled_elsewhere')`

/** A transfer that is reported under another id is the same transfer. */
const deposits = `select distinct door.workspace_key(account) as tenant_id, clabe, clave_rastreo, sender_bank, operated_on, amount_minor
  from simulator.spei_deposits`

/** Refunds of what is in the books; what a review gave back has the attempt's own reference. */
const refunded = `select b.tenant_id, b.payment_id, b.currency as charged_currency, r.* from simulator.refunds r
  join (${booked}) b on b.id = r.charge_reference where r.reference <> r.charge_reference`

/** Our orders to a bank with a merchant's money; `status`: the status that our record must have. */
const orders = `select o.*, s.tenant_id, s.what, s.status, s.ours_minor, s.ours_clabe from simulator.bank_orders o left join (
    select tenant_id, id, 'transfer' as what, status, amount_minor as ours_minor, destination_clabe as ours_clabe from transfers
    union all select tenant_id, id, 'payout', case status when 'in_transit' then 'processing' else status end, amount_minor,
      destination_clabe from payouts
    union all select tenant_id, id, 'refund', case status when 'succeeded' then 'paid' else status end, amount_minor,
      destination_clabe from refunds where method = 'spei_out') s on s.id = o.reference
  where not exists (select from bank_accounts b where b.id = o.reference)`

/** A dispute as the bank has it; lost where the time for evidence has passed. */
const claims = `select d.*, b.tenant_id, b.payment_id,
    case when d.state = 'needs_response' and d.evidence_due_by <= now() then 'lost' else d.state end as stands
  from simulator.disputes d join (${booked}) b on b.id = d.reference where d.opens_at <= now()`

/** What each merchant's outside world paid in, minus what it took, per currency. */
const statement = `
  select tenant_id, currency, taken_minor as minor from (${booked}) c
  union all select a.tenant_id, v.currency, v.amount_minor from simulator.vouchers v
    join payment_attempts a on a.id = v.reference
    where v.state = 'paid' and a.status <> 'amount_mismatch' and a.resolution is distinct from 'settled_elsewhere'
  union all select tenant_id, 'mxn', amount_minor from (${deposits}) d
  union all select tenant_id, currency, -amount_minor from (${refunded}) r where state = 'succeeded'
  union all select tenant_id, currency, -amount_minor from (${orders}) o where state = 'paid'
  union all select tenant_id, currency, -amount_minor from transfers where destination_type = 'tenant' and status = 'paid'
  union all select door.workspace_key(destination_tenant_id), currency, amount_minor from transfers
    where destination_type = 'tenant' and status = 'paid'
  union all select tenant_id, currency, -held_minor from disputes where status = 'lost'`

/** Overdue by this much is stuck: schedules are of seconds to a day, and the sweep runs each minute. */
const overdue = `next_check_at is null or next_check_at < now() - interval '15 minutes'`
const today = `(now() at time zone 'America/Mexico_City')::date`

export const auditRules: Readonly<Record<string, string>> = {
  'journal: sums to zero in one currency': `
    select tenant_id, journal_id::text as about from ledger_postings
    group by tenant_id, journal_id having sum(amount_minor) <> 0 or count(distinct currency) <> 1`,
  'balance: the sum of its postings': `
    select coalesce(a.tenant_id, p.tenant_id), concat_ws(' ', coalesce(a.currency, p.currency), coalesce(a.code, p.code),
      a.balance_minor, p.sum_minor)
    from ledger_accounts a full join (select tenant_id, currency, account_code as code, sum(amount_minor) as sum_minor
      from ledger_postings group by 1, 2, 3) p using (tenant_id, currency, code)
    where coalesce(a.balance_minor, 0) <> coalesce(p.sum_minor, 0)`,
  'outside: the books have what the bank’s statement has': `
    select coalesce(b.tenant_id, s.tenant_id), concat_ws(' ', coalesce(b.currency, s.currency), b.minor, s.minor) from
      (select tenant_id, currency, -sum(amount_minor) as minor from ledger_postings where account_code = 'processor_clearing'
       group by 1, 2) b
    full join (select tenant_id, currency, sum(minor) as minor from (${statement}) each group by 1, 2) s using (tenant_id, currency)
    where coalesce(b.minor, 0) <> coalesce(s.minor, 0)`,

  'charge: taken from a card without an attempt': `
    select null::uuid as tenant_id, c.reference::text from simulator.charges c
    where c.state in ('captured', 'authorized') and not exists (select from payment_attempts a where a.id = c.reference)`,
  'charge: in exactly one payment, with one capture': `
    select b.tenant_id, b.id::text from (${booked}) b where b.taken_minor <> b.amount_captured_minor
      or (select count(*) from payment_attempts a where a.tenant_id = b.tenant_id and a.payment_id = b.payment_id
        and a.status = 'captured') <> 1
      or (select count(*) from ledger_journals j where j.tenant_id = b.tenant_id and j.source_id = b.payment_id
        and j.entry_kind = 'capture') <> 1`,
  'payment: captured by a card that nothing was taken from': `
    select a.tenant_id, a.id::text from payment_attempts a where a.status = 'captured' and a.method = 'card'
      and not exists (select from simulator.charges c where c.reference = a.id and c.state = 'captured')`,
  'charge: held for a payment that does not wait for it': `
    select a.tenant_id, a.id::text from simulator.charges c join payment_attempts a on a.id = c.reference
    where c.state = 'authorized' and c.capture_before > now() and a.status not in ('authorized', 'amount_mismatch')`,
  'voucher: paid cash in exactly one place': `
    select a.tenant_id, s.reference::text from simulator.vouchers s join payment_attempts a on a.id = s.reference
    left join vouchers v on v.tenant_id = a.tenant_id and v.attempt_id = a.id
    where s.state = 'paid' and a.status <> 'amount_mismatch' and a.resolution is distinct from 'settled_elsewhere' and
      (select count(*) from ledger_journals j where j.tenant_id = a.tenant_id and (
        j.source_type = 'voucher' and j.source_id = v.id or j.source_id = a.payment_id and j.entry_kind = 'capture'
          and a.status = 'captured' and not exists (select from unapplied_funds_applications x
            where x.tenant_id = a.tenant_id and x.attempt_id = a.id))) <> 1`,
  'deposit: each transfer booked once, as it came': `
    select s.tenant_id, s.clave_rastreo from (${deposits}) s where (select count(*) from spei_deposits d
      where d.tenant_id = s.tenant_id and d.clabe = s.clabe and d.clave_rastreo = s.clave_rastreo
        and d.sender_bank = s.sender_bank and d.operated_on = s.operated_on and d.amount_minor = s.amount_minor
        and d.currency = 'mxn') <> 1`,
  'deposit: booked, and no bank sent it': `
    select d.tenant_id, d.id::text from spei_deposits d where not exists (select from (${deposits}) s
      where s.tenant_id = d.tenant_id and s.clabe = d.clabe and s.clave_rastreo = d.clave_rastreo
        and s.amount_minor = d.amount_minor)`,

  'refund: each of the processor’s booked once, as it stands there': `
    select s.tenant_id, coalesce(s.made_ref, s.reference::text) from (${refunded}) s
    where s.currency = s.charged_currency and (s.made_ref is null or s.state <> 'failed') and (select count(*) from refunds r
      where r.tenant_id = s.tenant_id and (r.id = s.reference or r.processor_ref = s.made_ref) and r.status = s.state
        and r.amount_minor = s.amount_minor and r.payment_id = s.payment_id) <> 1`,
  'refund: to a card, and the processor has none': `
    select r.tenant_id, r.id::text from refunds r where r.method = 'original' and r.status in ('succeeded', 'processing')
      and not exists (select from simulator.refunds s where (s.reference = r.id or s.made_ref = r.processor_ref)
        and s.state = r.status and s.amount_minor = r.amount_minor)`,
  'refund: a payment by card counts what went back to it': `
    select p.tenant_id, p.id::text from payments p where p.method = 'card' and p.amount_captured_minor > 0
      and p.amount_refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from (${refunded}) r
        where r.tenant_id = p.tenant_id and r.payment_id = p.id and r.state <> 'failed')
      + (select coalesce(sum(r.amount_minor), 0) from refunds r where r.tenant_id = p.tenant_id and r.payment_id = p.id
        and r.status in ('pending', 'pending_approval', 'requires_destination'))`,
  'refund: under review though its payment bears it': `
    select r.tenant_id, r.id::text from refunds r join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id
    where r.status = 'amount_mismatch' and r.currency = p.currency
      and r.amount_minor <= p.amount_captured_minor - p.amount_refunded_minor`,

  'dispute: each of the bank’s known once, as it stands there': `
    select s.tenant_id, s.dispute_ref from (${claims}) s where (select count(*) from disputes d
      where d.tenant_id = s.tenant_id and d.processor_ref = s.dispute_ref and d.status = s.stands
        and d.amount_minor = s.amount_minor and d.payment_id = s.payment_id) <> 1`,
  'dispute: takes what is claimed of what refunds left': `
    select p.tenant_id, p.id::text from payments p join (select tenant_id, payment_id, sum(amount_minor) as claimed_minor
      from (${claims}) c where stands <> 'won' and stands not like 'inquiry%' group by 1, 2) s on s.tenant_id = p.tenant_id and s.payment_id = p.id
    where p.amount_disputed_minor <> least(s.claimed_minor, p.amount_captured_minor - p.amount_refunded_minor)`,

  'bank: an order that we did not send, or with other numbers': `
    select tenant_id, reference::text from (${orders}) o
    where tenant_id is null and state in ('processing', 'paid') or ours_minor <> amount_minor or ours_clabe <> clabe`,
  'bank: an order that stands otherwise here': `
    select tenant_id, reference::text from (${orders}) o where status is distinct from state
      and not (what = 'refund' and status = 'failed' and state in ('returned', 'canceled'))`,
  'bank: paid in the books and not by it': `
    select tenant_id, id::text from (
      select tenant_id, id from transfers where status in ('paid', 'returned') and destination_type = 'clabe'
      union all select tenant_id, id from payouts where status in ('paid', 'returned')
      union all select tenant_id, id from refunds where status = 'succeeded' and method = 'spei_out') ours
    where not exists (select from simulator.bank_orders o where o.reference = ours.id and o.state in ('paid', 'returned'))`,
  'workspace: a transfer arrives once, as it was sent': `
    select t.tenant_id, t.id::text from transfers t where t.destination_type = 'tenant'
      and (select count(*) from incoming_transfers i where i.source_transfer_id = t.id)
        <> (select count(*) from incoming_transfers i where i.source_transfer_id = t.id and t.status = 'paid'
          and door.workspace_id(i.tenant_id) = t.destination_tenant_id and i.amount_minor = t.amount_minor and i.currency = t.currency)
      or t.destination_type = 'tenant' and t.status = 'paid'
        and (select count(*) from incoming_transfers i where i.source_transfer_id = t.id) <> 1`,
  'payout: the sum of its entries, none of them twice': `
    select o.tenant_id, o.id::text from payouts o where o.amount_minor <> (select coalesce(sum(e.net_minor), 0)
      from payout_entries e where e.tenant_id = o.tenant_id and e.payout_id = o.id)
    union all select tenant_id, activity_id::text from payout_entries group by 1, 2 having count(*) > 1`,

  'news: a report of the bank that we did not record': `
    select tenant_id, coalesce(made_ref, reference::text) from (${refunded}) r
      where made_ref is not null and confirmed_state is distinct from state
    union all select tenant_id, dispute_ref from (${claims}) c where confirmed_state is distinct from stands
    union all select door.workspace_key(account), clave_rastreo from simulator.spei_deposits where confirmed_at is null`,
  'stuck: unknown whether it was paid': `
    select tenant_id, id::text from payment_attempts where status in ('created', 'submitting', 'unknown')
    union all select tenant_id, id::text from payment_attempts where intent is not null and status <> 'amount_mismatch'`,
  'stuck: waits, and is not looked at': `
    select tenant_id, 'attempt ' || id from payment_attempts where (${overdue})
      and (status in ('pending_customer', 'authorized') or status = 'amount_mismatch' and resolved_at is null
        and resolution is null)
    union all select tenant_id, 'refund ' || id from refunds where (${overdue})
      and status in ('pending', 'processing', 'amount_mismatch')
    union all select tenant_id, 'dispute ' || id from disputes where (${overdue}) and status not in ('won', 'lost', 'inquiry_closed')
    union all select tenant_id, 'transfer ' || id from transfers where (${overdue}) and status in ('pending', 'processing')
    union all select tenant_id, 'payout ' || id from payouts where (${overdue}) and status in ('pending', 'in_transit')`,
  'stuck: its day has passed': `
    select tenant_id, 'funds ' || id from payments where funds_status = 'pending' and available_on < ${today}
    union all select tenant_id, 'reserve ' || id from payments where reserve_release_on < ${today}
    union all select tenant_id, 'payment ' || id from payments where status in ('processing', 'requires_action', 'requires_capture')
      and not exists (select from payment_attempts a where a.tenant_id = payments.tenant_id and a.payment_id = payments.id
        and a.status in ('submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch'))`,
  'stuck: fails again and again': `
    select tenant_id, job || ' ' || id from due_failures where failures_count >= 5 and next_try_at > now()`,
  'idempotency: one effect of a key': `
    select tenant_id, operation || ' ' || key from idempotency_claims group by tenant_id, operation, key having count(*) > 1`,
}
