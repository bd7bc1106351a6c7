/** What must hold of registers: each query finds what breaks a rule, of the workspace $1. */
export const registerRules: Readonly<Record<string, string>> = {
  'an order at a register is paid by no payment and no cash, or by both': `
    select o.id::text from register_orders o where o.tenant_id = $1
      and ((o.status = 'paid') <> ((o.payment_id is not null) <> (o.tendered_minor is not null))
        or (o.payment_id is not null and not exists (select from payments p where p.tenant_id = o.tenant_id and p.id = o.payment_id
          and p.origin_type = 'register_order' and p.origin_id = o.id and p.status in ('succeeded', 'partially_captured'))))`,
  'an order at a register was paid by a payment and is not paid, or twice': `
    select o.id::text from register_orders o where o.tenant_id = $1
      and (select count(*) from payments p where p.tenant_id = o.tenant_id and p.origin_type = 'register_order'
        and p.origin_id = o.id and p.status in ('succeeded', 'partially_captured'))
      <> (o.payment_id is not null)::int`,
  'cash of an order is not what it costs, or is counted twice': `
    select o.id::text from register_orders o where o.tenant_id = $1
      and (select coalesce(sum(m.amount_minor), 0) from cash_movements m where m.tenant_id = o.tenant_id and m.order_id = o.id and m.kind = 'sale')
      <> case when o.tendered_minor is null then 0 else o.amount_minor end`,
  'cash that was given back is not what its order says': `
    select o.id::text from register_orders o where o.tenant_id = $1
      and (select coalesce(sum(m.amount_minor), 0) from cash_movements m where m.tenant_id = o.tenant_id and m.order_id = o.id and m.kind = 'return')
      <> o.cash_returned_minor`,
  'a drawer holds another sum than its movements': `
    select s.id::text from register_shifts s, lateral (
      select coalesce(sum(m.amount_minor) filter (where m.kind = 'sale'), 0) as sales,
        coalesce(sum(m.amount_minor) filter (where m.kind = 'return'), 0) as returns,
        coalesce(sum(m.amount_minor) filter (where m.kind = 'paid_in'), 0) as paid_in,
        coalesce(sum(m.amount_minor) filter (where m.kind = 'paid_out'), 0) as paid_out
      from cash_movements m where m.tenant_id = s.tenant_id and m.shift_id = s.id) n
    where s.tenant_id = $1 and (s.sales_minor, s.returns_minor, s.paid_in_minor, s.paid_out_minor)
      is distinct from (n.sales, n.returns, n.paid_in, n.paid_out)`,
}
