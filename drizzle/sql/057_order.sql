-- What lines of an order come to; null where one of them is not what its quantity costs with its tax.
create or replace function door.lines_total(p_lines jsonb) returns bigint
language sql immutable
return (select case when bool_and((n.amount_subtotal + n.amount_tax = n.amount_total
    and case when n.price_includes_tax then n.amount_total else n.amount_subtotal end = n.unit_amount * n.quantity) is true)
    then sum(n.amount_total)::bigint end
  from jsonb_to_recordset(p_lines) n (unit_amount bigint, quantity bigint, price_includes_tax boolean,
    amount_subtotal bigint, amount_tax bigint, amount_total bigint));
