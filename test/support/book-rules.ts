import { auditRules } from './audit-rules.ts'
import { cashRules } from './cash-rules.ts'
import { offlineRules } from './offline-rules.ts'
import { registerRules } from './register-rules.ts'
import { tableRules } from './table-rules.ts'

/**
 * What must be true of a merchant's rows at any moment between two publishes, computed again from the rows themselves:
 * the ledger against its sources, amounts against each other, our records against the simulated outside world. One
 * query; a row for each rule that is broken. `$1` is the tenant.
 */
const rules: Readonly<Record<string, string>> = {
  'journal does not sum to zero in one currency': `
    select journal_id::text from ledger_postings where tenant_id = $1
    group by journal_id having sum(amount_minor) <> 0 or count(distinct currency) <> 1`,
  'journal without postings': `
    select j.id::text from ledger_journals j where j.tenant_id = $1 and not exists
      (select from ledger_postings p where p.tenant_id = j.tenant_id and p.journal_id = j.id)`,
  'balance is not the sum of its postings': `
    select a.currency || ' ' || a.code from ledger_accounts a
    where a.tenant_id = $1 and a.balance_minor is distinct from (select coalesce(sum(p.amount_minor), 0)
      from ledger_postings p where p.tenant_id = a.tenant_id and p.currency = a.currency and p.account_code = a.code)`,
  'stock on hand is not the sum of its movements': `
    select l.id::text from stock_levels l where l.tenant_id = $1 and l.on_hand is distinct from
      (select coalesce(sum(m.quantity), 0) from stock_movements m where m.tenant_id = l.tenant_id and m.level_id = l.id)`,
  'reserved stock is not what reservations hold': `
    select l.id::text from stock_levels l where l.tenant_id = $1 and l.reserved is distinct from
      (select coalesce(sum(n.quantity), 0) from stock_reservations r, jsonb_to_recordset(r.lines) n (item_id uuid, quantity int)
       where r.tenant_id = l.tenant_id and r.status = 'held' and n.item_id = l.item_id
         and r.location_id is not distinct from l.location_id)`,
  'a committed reservation did not sell its lines': `
    select r.id::text from stock_reservations r where r.tenant_id = $1 and
      (select coalesce(sum(-m.quantity), 0) from stock_movements m where m.tenant_id = r.tenant_id and m.reservation_id = r.id)
      is distinct from case when r.status = 'committed' then
        (select sum(n.quantity) from jsonb_to_recordset(r.lines) n (quantity int))
        - (select coalesce(sum(n.quantity), 0) from jsonb_to_recordset(r.shortages) n (quantity int)) else 0 end`,
  'a session is complete and not paid, or paid and not complete': `
    select s.id::text from checkout_sessions s where s.tenant_id = $1 and (s.status = 'complete' and s.amount_minor > 0) is distinct from
      (exists (select from payments p where p.tenant_id = s.tenant_id and p.origin_type = 'checkout_session'
        and p.origin_id = s.id and p.status in ('succeeded', 'partially_captured')))`,
  'a payment has another tip than its session, or one that its link, bill or order does not offer': `
    select p.id::text from payments p
    left join checkout_sessions s on s.tenant_id = p.tenant_id and p.origin_type = 'checkout_session' and s.id = p.origin_id
    left join payment_links l on l.tenant_id = p.tenant_id and p.origin_type = 'payment_link' and l.id = p.origin_id
    left join table_sessions t on t.tenant_id = p.tenant_id and p.origin_type = 'table_session' and t.id = p.origin_id
    left join register_orders o on o.tenant_id = p.tenant_id and p.origin_type = 'register_order' and o.id = p.origin_id
    where p.tenant_id = $1 and p.tip_amount_minor <> coalesce(s.tip_minor, 0)
      and coalesce(l.tip_options, t.tip_options, o.tip_options) is null
      and not (p.origin_type = 'in_person_payment' and p.tip_amount_minor between 0 and p.amount_minor - p.tip_amount_minor)`,
  ...registerRules,
  ...tableRules,
  ...offlineRules,
  'a payment of a link is sent in no way that the link offers': `
    select p.id::text from payments p
    join payment_links l on l.tenant_id = p.tenant_id and p.origin_type = 'payment_link' and l.id = p.origin_id
    where p.tenant_id = $1 and (l.shipping_options <> '[]') is distinct from exists (
      select from jsonb_to_recordset(p."order"->'parts') n (kind text, name text, amount text)
      join jsonb_to_recordset(l.shipping_options) o (name text, amount text) on (o.name, o.amount) = (n.name, n.amount)
      where n.kind = 'shipping')`,
  'taxes of a payment are not of its amount less the tip': `
    select p.id::text from payments p where p.tenant_id = $1 and p.taxes <> '[]' and p.amount_minor - p.tip_amount_minor <>
      (select sum(t.base + t.iva) from jsonb_to_recordset(p.taxes) t (base bigint, iva bigint))`,
  'a payment of lines without taxes': `
    select p.id::text from payments p join checkout_sessions s on s.tenant_id = p.tenant_id and s.id = p.origin_id
    where p.tenant_id = $1 and (p.taxes = '[]') <> (s.lines = '[]')`,
  'a payment carries another order than its session or its link of lines': `
    select p.id::text from payments p
    join (select tenant_id, id, lines from checkout_sessions union all select tenant_id, id, lines from payment_links
      where not lines @? '$[*].quantity_max') s on s.tenant_id = p.tenant_id and s.id = p.origin_id
    where p.tenant_id = $1 and coalesce(p."order"->'lines', '[]') <> coalesce((select jsonb_agg(jsonb_build_object(
        'item_id', l->'item_id', 'name', l->'name', 'quantity', l->'quantity', 'total', l->'amount_total',
        'iva_rate', l->'iva_rate') order by at) from jsonb_array_elements(s.lines) with ordinality n (l, at)), '[]')`,
  'the order of a payment is not of its amount less tip and markup': `
    select p.id::text from payments p where p.tenant_id = $1 and p."order" is not null
      and p.amount_minor - p.tip_amount_minor - p.markup_minor <> (select sum((n->>'total')::bigint)
        from jsonb_array_elements(p."order"->'lines') n)
        + (select coalesce(sum((n->>'amount')::bigint), 0) from jsonb_array_elements(p."order"->'parts') n)`,
  'a discount does not count its uses': `
    select d.id::text from discounts d where d.tenant_id = $1 and d.uses <>
      (select count(*) from discount_uses u where u.tenant_id = d.tenant_id and u.discount_id = d.id and u.is_counted)`,
  'a use of a discount is not of the customer of its session or payment': `
    select u.id::text from discount_uses u join checkout_sessions s on s.tenant_id = u.tenant_id and s.id = u.session_id
    where u.tenant_id = $1 and u.customer_id is distinct from s.customer_id
    union all select u.id::text from discount_uses u join payments p on p.tenant_id = u.tenant_id and p.id = u.payment_id
    where u.tenant_id = $1 and u.customer_id <> p.customer_id`,
  'an attempt that is over holds something unpaid, or says who held it': `
    select a.id::text from payment_attempts a where a.tenant_id = $1 and a.resolved_at is not null
      and (a.network_digest is not null or exists (select from unpaid_holds h
        where h.tenant_id = a.tenant_id and h.attempt_id = a.id))`,
  'a paid session has not taken its discounts, or an unpaid one has': `
    select s.id::text from checkout_sessions s, jsonb_to_recordset(s.discounts) n (discount_id uuid)
    where s.tenant_id = $1 and (s.status = 'complete') is distinct from exists (select from discount_uses u
      where u.tenant_id = s.tenant_id and u.session_id = s.id and u.discount_id = n.discount_id and u.status = 'committed')`,
  'a paid payment of a link has not taken the discounts of its order, or an unpaid one has': `
    select p.id::text from payments p, jsonb_to_recordset(p."order"->'parts') n (kind text, name text)
    where p.tenant_id = $1 and p.origin_type = 'payment_link' and n.kind = 'discount' and (p.amount_captured_minor > 0) <> exists (select from discount_uses u
        join discounts d on d.tenant_id = u.tenant_id and d.id = u.discount_id
        where u.tenant_id = p.tenant_id and u.payment_id = p.id and d.code = n.name and u.status = 'committed')
    union all select u.id::text from discount_uses u join payments p on p.tenant_id = u.tenant_id and p.id = u.payment_id
    join discounts d on d.tenant_id = u.tenant_id and d.id = u.discount_id where u.tenant_id = $1 and u.status <> 'released'
      and not p."order"->'parts' @> jsonb_build_array(jsonb_build_object('kind', 'discount', 'name', d.code))`,
  'an attempt that is over holds a discount, or one under way does not': `
    select u.id::text from discount_uses u join payment_attempts a on a.tenant_id = u.tenant_id and a.id = u.attempt_id
    where u.tenant_id = $1 and (u.status = 'held') is distinct from
      (a.status in ('submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch') and a.resolved_at is null)`,
  'an attempt that is over holds stock, or one under way does not': `
    select r.id::text from stock_reservations r join payment_attempts a on a.tenant_id = r.tenant_id and a.id = r.attempt_id
    where r.tenant_id = $1 and (r.status = 'held') is distinct from
      (a.status in ('submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch') and a.resolved_at is null)`,
  'the chain of audit events is broken': `
    select found->>'firstBreak' from door.verify_audit($1, 0, null, 1000000) found where found->>'firstBreak' is not null`,

  'pending is not the nets that wait for their day': balanceIs(
    'merchant_pending',
    `select currency, net_minor as amount from payments where tenant_id = $1 and funds_status = 'pending'`,
  ),
  'reserve is not what is kept back': balanceIs(
    'merchant_reserve',
    `select currency, reserve_minor as amount from payments
     where tenant_id = $1 and funds_status = 'available' and reserve_release_on is not null`,
  ),
  'available is not what came in less what went out': balanceIs(
    'merchant_available',
    `select currency, net_minor - case when reserve_release_on is null then 0 else reserve_minor end as amount
       from payments where tenant_id = $1 and funds_status = 'available'
     union all select r.currency, -r.amount_minor from refunds r where r.tenant_id = $1 and r.payment_id is not null
       and r.status not in ('failed', 'canceled', 'amount_mismatch') and exists (select from ledger_journals j
         where j.tenant_id = r.tenant_id and j.source_id = r.id and j.entry_kind = 'refund')
     union all select currency, -case when status = 'won' then 0 else held_minor end - fee_minor - fee_iva_minor
       from disputes where tenant_id = $1
     union all select currency, -amount_minor from transfers
       where tenant_id = $1 and status in ('pending', 'processing', 'paid')
     union all select currency, amount_minor from incoming_transfers where tenant_id = $1
     union all select currency, -change_minor from buyer_balance_movements
       where tenant_id = $1 and kind in ('taken', 'overdraft_covered')
     union all select currency, -amount_minor from payouts
       where tenant_id = $1 and account_id is null and status in ('pending', 'in_transit', 'paid')`,
  ),
  'open balance activity is not the available balance': balanceIs(
    'merchant_available',
    'select currency, amount_minor as amount from balance_activity where tenant_id = $1 and payout_id is null',
  ),
  'disputes hold something else': balanceIs(
    'dispute_hold',
    `select currency, held_minor as amount from disputes where tenant_id = $1 and status in ('needs_response', 'under_review')`,
  ),
  'a dispute booked something else than where it stands': `
    select d.id::text from disputes d
    left join ledger_journals j on j.tenant_id = d.tenant_id and j.source_type = 'dispute' and j.source_id = d.id
    left join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
    where d.tenant_id = $1 group by d.tenant_id, d.id having
      (coalesce(sum(p.amount_minor) filter (where p.account_code = 'merchant_available'), 0),
       coalesce(sum(p.amount_minor) filter (where p.account_code = 'dispute_hold'), 0),
       coalesce(sum(p.amount_minor) filter (where p.account_code = 'processor_clearing'), 0),
       coalesce(sum(p.amount_minor) filter (where p.account_code = 'fee_expense'), 0),
       coalesce(sum(p.amount_minor) filter (where p.account_code = 'iva_on_fees'), 0)) <>
      (case when d.status = 'won' then 0 else -d.held_minor end - d.fee_minor - d.fee_iva_minor,
       case when d.status in ('needs_response', 'under_review') then d.held_minor else 0 end,
       case when d.status = 'lost' then d.held_minor else 0 end, d.fee_minor, d.fee_iva_minor)`,
  'a dispute has another status than we confirmed to the bank': `
    select d.id::text from disputes d join simulator.disputes s on s.dispute_ref = d.processor_ref
    where d.tenant_id = $1 and s.confirmed_state = s.state and s.state <> d.status`,
  'a dispute decided at no time, or open and decided': `
    select id::text from disputes where tenant_id = $1
      and (resolved_at is null) <> (status not in ('won', 'lost', 'inquiry_closed'))`,
  'an open dispute without a next look': `
    select id::text from disputes where tenant_id = $1 and next_check_at is null
      and status in ('needs_response', 'under_review')`,
  'a key transferred more than was counted': `
    select t.api_key_id::text from transfers t join api_keys k on k.tenant_id = t.tenant_id and k.id = t.api_key_id
    where t.tenant_id = $1 and t.approved_at is null and ${isOfToday('t.created_at')}
      and exists (select from ledger_journals j where j.tenant_id = t.tenant_id and j.source_id = t.id)
    group by t.tenant_id, t.api_key_id, k.kid, t.currency having sum(t.amount_minor) > coalesce((select s.sum_minor
      from daily_spend s where s.tenant_id = t.tenant_id and s.kid = k.kid and s.kind = 'transfers'
        and s.currency = t.currency), 0)`,
  'keys refunded more to CLABEs than was counted': `
    select r.currency from refunds r
    left join unapplied_funds u on u.tenant_id = r.tenant_id and u.id = r.unapplied_funds_id
    left join spei_deposits d on d.tenant_id = u.tenant_id and d.id = u.deposit_id
    where r.tenant_id = $1 and r.method = 'spei_out' and r.approved_at is null and ${isOfToday('r.created_at')}
      and r.status in ('pending', 'processing', 'succeeded', 'failed') and r.destination_clabe is distinct from d.sender_clabe
    group by r.tenant_id, r.currency having sum(r.amount_minor) > coalesce((select sum(s.sum_minor) from daily_spend s
      where s.tenant_id = r.tenant_id and s.kind = 'refunds' and s.currency = r.currency), 0)`,
  'transfers in flight are something else': balanceIs(
    'transfers_in_flight',
    `select currency, amount_minor as amount from transfers where tenant_id = $1 and status in ('pending', 'processing')`,
  ),
  'payouts in flight are something else': balanceIs(
    'payouts_in_flight',
    `select currency, amount_minor as amount from payouts
       where tenant_id = $1 and account_id is null and status in ('pending', 'in_transit')`,
  ),
  'refunds in flight are something else': balanceIs(
    'refunds_in_flight',
    `select r.currency, r.amount_minor as amount from refunds r where r.tenant_id = $1 and r.status in ('requires_destination', 'pending_approval', 'pending', 'processing')
       and exists (select from ledger_journals j where j.tenant_id = r.tenant_id and j.source_id = r.id and j.entry_kind = 'refund')`,
  ),
  'overdrafts are not what buyers’ balances are below zero': balanceIs(
    'buyer_overdrafts',
    `select currency, sign(change_minor) * below_zero_minor as amount from buyer_balance_movements where tenant_id = $1`,
  ),
  'unapplied funds are something else': balanceIs(
    'unapplied_funds',
    `select currency, remaining_minor as amount from unapplied_funds where tenant_id = $1
     union all select currency, amount_received_minor from payments
       where tenant_id = $1 and method = 'spei' and status in ('requires_action', 'processing')`,
  ),

  'amounts out of order': `
    select id::text from payments where tenant_id = $1 and not
      (amount_refunded_minor + amount_disputed_minor <= amount_captured_minor
       and amount_captured_minor <= amount_authorized_minor and amount_authorized_minor <= amount_minor)`,
  'refunded is not the sum of its refunds': `
    select p.id::text from payments p where p.tenant_id = $1 and p.amount_refunded_minor <>
      (select coalesce(sum(r.amount_minor), 0) from refunds r where r.tenant_id = p.tenant_id and r.payment_id = p.id
         and r.status not in ('failed', 'canceled', 'amount_mismatch'))`,
  'a refund made at the processor without its journals, or booked though it contradicts': `
    select r.id::text from refunds r where r.tenant_id = $1 and r.origin = 'processor' and (
      (r.status in ('processing', 'succeeded', 'kept'))::int > (select count(*) from ledger_journals j
        where j.tenant_id = r.tenant_id and j.source_id = r.id and j.entry_kind = 'refund')
      or r.status = 'amount_mismatch' and exists (select from ledger_journals j
        where j.tenant_id = r.tenant_id and j.source_id = r.id))`,
  'a refund made at the processor recorded with other numbers': `
    select r.id::text from refunds r where r.tenant_id = $1 and r.origin = 'processor' and not exists
      (select from simulator.refunds s where s.made_ref = r.processor_ref and s.amount_minor = r.amount_minor
         and s.currency = r.currency)`,
  'a refund made at the processor that we confirmed but did not record': `
    select s.made_ref from simulator.refunds s
    join payment_attempts a on a.id = s.charge_reference and a.tenant_id = $1 and a.status = 'captured'
    where s.made_ref is not null and s.confirmed_state in ('processing', 'succeeded')
      and not exists (select from refunds r where r.tenant_id = $1 and r.processor_ref = s.made_ref)`,
  'disputed is not the sum of its disputes': `
    select p.id::text from payments p where p.tenant_id = $1 and (p.amount_disputed_minor, p.open_disputes_count) <>
      (select coalesce(sum(d.held_minor) filter (where d.status <> 'won'), 0),
         count(*) filter (where d.status in ('needs_response', 'under_review'))
       from disputes d where d.tenant_id = p.tenant_id and d.payment_id = p.id)`,
  'fees and net are not the amount': `
    select id::text from payments where tenant_id = $1 and status in ('succeeded', 'partially_captured')
      and fee_processing_minor + fee_installments_minor + fee_iva_minor + net_minor <> amount_captured_minor`,
  'not one capture journal per captured payment': `
    select p.id::text from payments p where p.tenant_id = $1
      and (p.status in ('succeeded', 'partially_captured'))::int <> (select count(*) from ledger_journals j
        where j.tenant_id = p.tenant_id and j.source_id = p.id and j.entry_kind = 'capture')`,
  'not one release journal per available payment': `
    select p.id::text from payments p where p.tenant_id = $1
      and (p.funds_status = 'available')::int <> (select count(*) from ledger_journals j
        where j.tenant_id = p.tenant_id and j.source_id = p.id and j.entry_kind = 'release')`,
  'not one captured attempt per captured card payment': `
    select p.id::text from payments p where p.tenant_id = $1 and p.method = 'card'
      and (p.status in ('succeeded', 'partially_captured'))::int <> (select count(*) from payment_attempts a
        where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.status = 'captured')`,
  'captured without the same money at the processor': `
    select a.id::text from payment_attempts a join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id
    where a.tenant_id = $1 and a.status = 'captured' and a.method = 'card' and not exists (select from simulator.charges c
      where c.reference = a.id and c.state = 'captured' and c.currency = a.currency
        and coalesce(c.captured_minor, c.amount_minor) = p.amount_captured_minor)`,
  'authorized without the same money held at the processor': `
    select a.id::text from payment_attempts a where a.tenant_id = $1 and a.status = 'authorized' and a.intent is null
      and a.next_check_at > now() and not exists (select from simulator.charges c where c.reference = a.id
        and c.state = 'authorized' and c.amount_minor = a.amount_minor and c.currency = a.currency)`,
  'money held at the processor that we closed our books on': `
    select a.id::text from payment_attempts a
    join simulator.charges c on c.reference = a.id and c.state = 'authorized' and c.capture_before > now()
    where a.tenant_id = $1 and a.next_check_at is null and a.status not in ('authorized', 'amount_mismatch')`,
  'not one authorized attempt per payment that waits for its capture': `
    select p.id::text from payments p where p.tenant_id = $1
      and (p.status = 'requires_capture')::int <> (select count(*) from payment_attempts a where a.tenant_id = p.tenant_id
        and a.payment_id = p.id and (a.status = 'authorized'
          or a.status = 'amount_mismatch' and p.status = 'requires_capture'))`,
  'an intent on an attempt that is over': `
    select id::text from payment_attempts where tenant_id = $1 and intent is not null
      and status not in ('authorized', 'pending_customer', 'amount_mismatch')`,
  'money at the processor that we closed our books on': `
    select a.id::text from payment_attempts a
    join simulator.charges c on c.reference = a.id and c.state = 'captured'
    where a.tenant_id = $1 and a.next_check_at is null and a.status not in ('captured', 'amount_mismatch')
      and a.resolution is distinct from 'settled_elsewhere' and not exists (select from simulator.refunds r
        where a.resolution = 'refunded' and r.reference = a.id and r.charge_reference = a.id and r.state = 'succeeded')`,
  'given back, and something of it is booked or still at the processor': `
    select a.id::text from payment_attempts a left join simulator.charges c on c.reference = a.id
    where a.tenant_id = $1 and a.resolution in ('voided', 'refunded') and (a.status <> 'canceled'
      or (a.resolution = 'voided') <> (c.state is distinct from 'captured')
      or exists (select from ledger_journals j where j.tenant_id = a.tenant_id and j.source_id = a.payment_id
        and not exists (select from payment_attempts b where b.tenant_id = a.tenant_id and b.payment_id = a.payment_id
          and b.status = 'captured')))`,
  ...cashRules,
  'payout is not the sum of its entries': `
    select o.id::text from payouts o where o.tenant_id = $1 and (o.reconciliation = 'complete') <> (o.amount_minor =
      (select coalesce(sum(e.net_minor), 0) from payout_entries e where e.tenant_id = o.tenant_id and e.payout_id = o.id))`,

  'events with a gap': `
    select resource_id::text from events where tenant_id = $1
    group by resource_id having max(sequence) <> count(*) or min(sequence) <> 1`,
  'entitlement without captured money': `
    select e.id::text from entitlements e join payments p on p.tenant_id = e.tenant_id and p.id = e.payment_id
    where e.tenant_id = $1 and p.amount_captured_minor = 0`,
  'entitlements that are not what was sold': `
    select p.id::text from payments p join (select tenant_id, id, delivers from checkout_sessions
      union all select tenant_id, id, delivers from payment_links) s on s.tenant_id = p.tenant_id and s.id = p.origin_id
    cross join jsonb_to_recordset(coalesce(p.delivers, s.delivers)) d (item_id uuid, quantity int)
    join catalog_items i on i.tenant_id = p.tenant_id and i.id = d.item_id
    where p.tenant_id = $1 and p.amount_captured_minor > 0 and (select count(*) from entitlements e
      where e.tenant_id = p.tenant_id and e.payment_id = p.id and e.item_id = d.item_id)
      <> case when i.kind = 'file' then 1 else d.quantity * p.quantity end`,
  'entitlement that its refund or dispute does not fit': `
    select e.id::text from entitlements e join payments p on p.tenant_id = e.tenant_id and p.id = e.payment_id
    where e.tenant_id = $1 and coalesce(e.revoked_because, '') <> 'merchant' and (e.status = 'revoked') <> (
      p.amount_refunded_minor > 0 and e.revocation_policy = 'any_refund'
      or p.amount_refunded_minor = p.amount_captured_minor and e.revocation_policy = 'full_refund'
      or e.revocation_policy <> 'never' and exists (select from disputes d where d.tenant_id = e.tenant_id
        and d.payment_id = e.payment_id and d.status = 'lost'))`,
  'a session that cost nothing has not granted what it sold, or granted it before its end': `
    select s.id::text from checkout_sessions s cross join jsonb_to_recordset(s.delivers) d (item_id uuid, quantity int)
    join catalog_items i on i.tenant_id = s.tenant_id and i.id = d.item_id
    where s.tenant_id = $1 and (select count(*) from entitlements e where e.tenant_id = s.tenant_id
      and e.checkout_session_id = s.id and e.item_id = d.item_id) <> case when s.receipt_ref is null then 0
        when i.kind = 'file' then 1 else d.quantity end`,
  'a session that cost nothing has not sold its stock once': `
    select s.id::text from checkout_sessions s where s.tenant_id = $1 and s.stock is not null and s.amount_minor = 0
      and (s.status = 'complete')::int <> (select count(*) from stock_reservations r where r.tenant_id = s.tenant_id
        and r.note = s.public_id and r.attempt_id is null and r.status = 'committed')`,
  'key of a pool free beside an entitlement that waits for one': `
    select k.id::text from license_keys k join entitlements e on e.tenant_id = k.tenant_id and e.item_id = k.item_id
    where k.tenant_id = $1 and k.status = 'available' and e.status = 'pending' and e.code_from = 'pool'`,
  'paid link without its one payment': `
    select l.id::text from payment_links l where l.tenant_id = $1 and l.status = 'paid'
      and (select count(*) from payments p where p.tenant_id = l.tenant_id and p.origin_id = l.id
        and p.status in ('succeeded', 'partially_captured') and p.public_id = l.checkout_session_ref) <> 1`,
  'single-use link paid twice': `
    select l.id::text from payment_links l where l.tenant_id = $1 and l.usage = 'single_use'
      and (select count(*) from payments p where p.tenant_id = l.tenant_id and p.origin_id = l.id
        and p.status in ('succeeded', 'partially_captured')) > 1`,
  'uses of a link are not its payments': `
    select l.id::text from payment_links l
    left join payment_link_uses u on u.tenant_id = l.tenant_id and u.id = l.id
    cross join lateral (select count(*) filter (where a.status in ('authorized', 'captured')) as paid,
        count(*) filter (where a.status = 'authorized') as authorized,
        count(*) filter (where a.status in ('submitting', 'unknown', 'pending_customer')
          or a.status = 'amount_mismatch' and a.resolved_at is null) as held
      from payments p join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id
      where p.tenant_id = l.tenant_id and p.origin_id = l.id) p
    where l.tenant_id = $1 and l.usage = 'multi_use' and (coalesce(u.paid_count, 0) <> p.paid
      or l.uses_max is not null and (u.uses_max is distinct from l.uses_max or u.held_count <> p.held
        or u.authorized_count <> p.authorized or p.paid + p.held > l.uses_max))`,
}

/** On this day in Mexico City, unless the tenant's clock was moved. */
function isOfToday(instant: string): string {
  const day = (of: string) => `(${of} at time zone 'America/Mexico_City')::date`
  return `${day(instant)} = ${day('now()')} and not exists (select from sandbox_clocks c where c.tenant_id = $1)`
}

/** A balance must be the sum of its sources, per currency; both directions. */
function balanceIs(code: string, amounts: string): string {
  return `
    select coalesce(a.currency, s.currency) || ' ' || coalesce(a.balance, 0) || ' <> ' || coalesce(s.total, 0)
    from (select currency, balance_minor as balance from ledger_accounts where tenant_id = $1 and code = '${code}') a
    full join (select currency, sum(amount) as total from (${amounts}) each group by currency) s using (currency)
    where coalesce(a.balance, 0) <> coalesce(s.total, 0)`
}

const asOneQuery = (all: readonly (readonly [rule: string, select: string])[]): string =>
  all
    .map(([rule, select]) => `select '${rule}' as rule, about.* from (${select}) as about(about)`)
    .join('\nunion all\n')

export const bookRules = asOneQuery(Object.entries(rules))

/** Live has no simulated outside world to compare with; there the stand-in for Stripe checks its own side. */
export const liveBookRules = asOneQuery(
  Object.entries(rules).filter(([, select]) => !select.includes('simulator.')),
)

/** The rules of each of many merchants, planned once; `condition` names the merchant's row `merchant`. */
export const rulesOfEach = (rules: string, condition: string): string => `
  select merchant.tenant_id, found.* from tenants merchant
  cross join lateral (${rules.replaceAll('$1', 'merchant.tenant_id')}) found where ${condition}`

/** Runs one statement as the superuser: `adminSql('sandbox')`, or any pool's query that answers its rows. */
type Sql = (text: string, values: unknown[]) => Promise<readonly Record<string, unknown>[]>

/**
 * Every rule that the books break, one line each; empty when there is none. Of all merchants, or of those given. Run it
 * after everything that is due was done: before that, work under way may look like a mistake.
 */
export async function brokenRules(sql: Sql, tenants: readonly string[] | null = null): Promise<string[]> {
  const lines: string[] = []
  const add = (rows: readonly Record<string, unknown>[]) => {
    for (const { rule, tenant_id, about } of rows) lines.push(`${rule}: ${tenant_id} ${about}`)
  }
  for (const [rule, select] of Object.entries(auditRules)) {
    const text = `select $2::text as rule, found.* from (${select}) as found(tenant_id, about)
      where $1::uuid[] is null or found.tenant_id = any ($1)`
    add(await sql(text, [tenants, rule]))
  }
  const isAsked = '$1::uuid[] is null or merchant.tenant_id = any ($1)'
  add(await sql(rulesOfEach(bookRules, isAsked), [tenants]))
  return lines
}
