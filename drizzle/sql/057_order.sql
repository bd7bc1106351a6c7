-- What one of a measured line costs: its measure at the price of a unit, rounded half up, and what was chosen on top.
create or replace function door.one_measured(p_measured jsonb, p_modifiers jsonb) returns bigint
language sql immutable
return floor((p_measured->>'unit_amount')::numeric * (p_measured->>'measure')::numeric + 0.5)::bigint
  + coalesce((select sum(m.amount) from jsonb_to_recordset(p_modifiers) m (amount bigint)), 0)::bigint;

-- What lines of an order come to; null where one of them is not what its quantity costs with its tax.
create or replace function door.lines_total(p_lines jsonb) returns bigint
language sql immutable
return (select case when bool_and((n.amount_subtotal + n.amount_tax = n.amount_total
    and case when n.price_includes_tax then n.amount_total else n.amount_subtotal end = n.unit_amount * n.quantity
    and (n.measured is null or n.unit_amount = door.one_measured(n.measured, n.modifiers))) is true)
    then sum(n.amount_total)::bigint end
  from jsonb_to_recordset(p_lines) n (unit_amount bigint, quantity bigint, price_includes_tax boolean,
    amount_subtotal bigint, amount_tax bigint, amount_total bigint, measured jsonb, modifiers jsonb));

-- What is taken off an order; null where a discount takes nothing off it.
create or replace function door.discounts_total(p_discounts jsonb) returns bigint
language sql immutable
return (select case when coalesce(bool_and((d.amount >= 0) is true), true) then coalesce(sum(d.amount), 0)::bigint end
  from jsonb_to_recordset(p_discounts) d (amount bigint));

-- Whether something is taken off the order of a payment.
create or replace function door.is_discounted(p_order jsonb) returns boolean
language sql immutable
return coalesce(p_order @? '$.parts[*] ? (@.kind == "discount")', false);

-- What lines that were bought take or deliver of what one of each line sold does, by its place: each item once.
create or replace function door.promised_by(p_sold jsonb, p_bought jsonb, p_what text) returns jsonb
language sql immutable
return (select jsonb_agg(jsonb_build_object('item_id', t.item_id, 'quantity', t.quantity) order by t.item_id) from (
  select n.item_id, sum(n.quantity * (o.line->>'quantity')::bigint) as quantity
  from jsonb_array_elements(p_sold) with ordinality s (line, at)
  join jsonb_array_elements(p_bought) with ordinality o (line, at) on o.at = s.at
  cross join jsonb_to_recordset(s.line->p_what) n (item_id uuid, quantity bigint)
  group by n.item_id) t);
