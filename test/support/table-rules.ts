/** The rules of the books about bills that a table pays, and the tips that are owed to waiters: see book-rules.ts. */
export const tableRules: Readonly<Record<string, string>> = {
  'the sums of a bill are not those of its lines and payments': `
    select s.id::text from table_session_sums s join table_sessions b on b.tenant_id = s.tenant_id and b.id = s.id,
    lateral (select coalesce(sum(l.total_minor), 0) as total from table_lines l
      where l.tenant_id = s.tenant_id and l.session_id = s.id and l.status = 'ordered') n,
    lateral (select coalesce(sum(p.amount_minor - p.tip_amount_minor - p.markup_minor), 0) as paid,
      coalesce(sum(p.tip_amount_minor), 0) as tips from payments p
      where p.tenant_id = s.tenant_id and p.origin_id = s.id and p.status = 'succeeded') g,
    lateral (select coalesce(sum(e.amount_minor), 0) as paid, coalesce(sum(e.tip_minor), 0) as tips
      from table_external_payments e where e.tenant_id = s.tenant_id and e.session_id = s.id and e.status = 'recorded') c
    where s.tenant_id = $1 and (s.total_minor, s.paid_minor, s.tips_minor)
      is distinct from (n.total - b.discount_minor, g.paid + c.paid, g.tips + c.tips)`,
  'a bill that is void or merged is paid': `
    select b.id::text from table_sessions b join table_session_sums s on s.tenant_id = b.tenant_id and s.id = b.id
    where b.tenant_id = $1 and b.status in ('void', 'merged') and s.paid_minor + s.held_minor > 0`,
  // It may be free again where another payment had it then, and ended.
  'a line of a part that is paid is free': `
    select l.id::text from payments p cross join jsonb_array_elements(p."order"->'lines') n
    join table_lines l on l.tenant_id = p.tenant_id and l.id = (n->>'id')::uuid
    where p.tenant_id = $1 and p.origin_type = 'table_session' and p.status = 'succeeded' and l.status = 'ordered'
      and l.payment_id is null and l.external_payment_id is null and l.updated_at <= p.succeeded_at`,
  'a tip is not of its payment, or has another part taken back than refunds went beyond the rest': `
    select t.id::text from table_tips t
    left join payments p on p.tenant_id = t.tenant_id and p.id = t.payment_id and p.status in ('succeeded', 'partially_captured')
    left join table_external_payments e on e.tenant_id = t.tenant_id and e.id = t.external_payment_id,
    lateral (select coalesce(least(p.tip_amount_minor, p.amount_captured_minor), e.tip_minor) as minor) g
    where t.tenant_id = $1 and (t.amount_minor, t.returned_minor) is distinct from (g.minor,
      case when e.status = 'canceled' then e.tip_minor else greatest(0, coalesce(p.amount_refunded_minor - p.amount_captured_minor
        + g.minor, 0)) end)`,
  'a tip at a device is owed to nobody, or to another than served': `
    select p.id::text from payments p
    join in_person_payments s on s.tenant_id = p.tenant_id and s.id = p.origin_id
    left join table_tips t on t.tenant_id = p.tenant_id and t.id = p.id
    where p.tenant_id = $1 and p.origin_type = 'in_person_payment' and t.waiter_id is distinct from
      case when p.tip_amount_minor > 0 and p.amount_captured_minor > 0 then s.waiter_id end`,
  'a waiter is owed something else than their tips less what was paid out': `
    select w.id::text from waiters w
    left join ledger_accounts a on a.tenant_id = w.tenant_id and a.code = 'waiter:' || w.id
    where w.tenant_id = $1 and coalesce(a.balance_minor, 0) <>
      (select coalesce(sum(t.amount_minor - t.returned_minor), 0) from table_tips t
        where t.tenant_id = w.tenant_id and t.waiter_id = w.id)
      - (select coalesce(sum(o.amount_minor), 0) from tip_payouts o
        where o.tenant_id = w.tenant_id and o.waiter_id = w.id and o.status = 'recorded')`,
  'what is owed of tips is not what waiters are owed': `
    select currency from ledger_accounts where tenant_id = $1 and (code = 'tips_owed' or code like 'waiter:%')
    group by currency having sum(balance_minor) <> 0`,
}
