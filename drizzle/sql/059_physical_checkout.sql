create or replace trigger code_limit before insert on public.register_codes
  for each row execute function door.limit_rows('5000', 'revoked', 'register_codes_limit');

-- The lines of an order at a register come to what it costs.
create or replace function door.check_register_order() returns trigger
language plpgsql as $$
begin
  if door.lines_total(new.lines) is distinct from new.amount_minor then
    raise exception 'the lines are not what the order costs'
      using errcode = '23514', constraint = 'register_orders_lines_sum';
  end if;
  return new;
end $$;

create or replace trigger lines_sum before insert on public.register_orders
  for each row when (new.lines <> '[]') execute function door.check_register_order();

-- What a buyer was shown stays.
create or replace function door.keep_register_order() returns trigger
language plpgsql as $$
begin
  raise exception 'an order at a register keeps what it costs' using errcode = 'SP460';
end $$;

create or replace trigger keep_order before update on public.register_orders for each row
  when ((old.register_id, old.shift_id, old.mode, old.lines, old.stock, old.delivers, old.tip_options, old.amount_minor, old.currency,
      old.payment_method_types, old.capture_method, old.installment_months, old.installment_plan_months, old.fee_allocation,
      old.merchant_markup_bps, old.description)
    is distinct from (new.register_id, new.shift_id, new.mode, new.lines, new.stock, new.delivers, new.tip_options,
      new.amount_minor, new.currency, new.payment_method_types, new.capture_method, new.installment_months,
      new.installment_plan_months, new.fee_allocation, new.merchant_markup_bps, new.description))
  execute function door.keep_register_order();

-- A payment wins: while one is under way an order is neither canceled nor over, nor paid in cash. Submissions lock the
-- order first.
create or replace trigger not_while_paying before update on public.register_orders
  for each row when (old.status = 'open' and new.status <> 'open' and new.payment_id is null)
  execute function door.refuse_while_paying('register_order', 'register_orders_being_paid');

-- Cash is no payment, so the slot of an order's one payment does not see it: money that comes late for a payment that is
-- over pays no order that cash has paid.
create or replace function door.refuse_paid_in_cash() returns trigger
language plpgsql as $$
declare
  v_tendered bigint;
begin
  if new.origin_type <> 'register_order' or old.status <> 'expired' or new.status <> 'succeeded' then
    return new;
  end if;
  select o.tendered_minor into v_tendered from public.register_orders o
  where o.tenant_id = new.tenant_id and o.id = new.origin_id for share;
  if v_tendered is not null then
    raise exception 'cash has paid the order'
      using errcode = '23505', constraint = 'payments_one_live_per_exclusive_origin';
  end if;
  return new;
end $$;

create or replace trigger paid_in_cash before update on public.payments
  for each row execute function door.refuse_paid_in_cash();

-- Cash takes what the order sells from the stock, all of it or nothing.
create or replace function door.take_stock_for_cash() returns trigger
language plpgsql as $$
begin
  perform door.take_stock(new.tenant_id, new.stock, new.public_id, new.ended_at);
  return null;
end $$;

create or replace trigger take_stock after update on public.register_orders
  for each row when (old.tendered_minor is null and new.tendered_minor is not null and new.stock is not null)
  execute function door.take_stock_for_cash();

create or replace trigger order_journal before update on public.register_shifts
  for each row when (old.status <> 'closed' and new.status = 'closed') execute function door.order_journal();

-- Cash counts in the shift that is open, whose row is locked: who closes it counts what came before. A sale is what its
-- order costs, and what is given back is what its order says, which never gives back more than it costs.
create or replace function door.move_cash() returns trigger
language plpgsql as $$
begin
  update public.register_shifts s
  set sales_minor = s.sales_minor + case new.kind when 'sale' then new.amount_minor else 0 end,
    returns_minor = s.returns_minor + case new.kind when 'return' then new.amount_minor else 0 end,
    paid_in_minor = s.paid_in_minor + case new.kind when 'paid_in' then new.amount_minor else 0 end,
    paid_out_minor = s.paid_out_minor + case new.kind when 'paid_out' then new.amount_minor else 0 end,
    version = s.version + 1, updated_at = new.created_at
  where s.tenant_id = new.tenant_id and s.id = new.shift_id and s.status = 'open';
  if not found then
    raise exception 'the shift is closed' using errcode = '23514', constraint = 'cash_movements_shift_open';
  end if;
  if new.kind = 'sale' and not exists (select from public.register_orders o where o.tenant_id = new.tenant_id
    and o.id = new.order_id and o.tendered_minor is not null and o.amount_minor = new.amount_minor
    and o.currency = (select s.currency from public.register_shifts s where s.tenant_id = new.tenant_id and s.id = new.shift_id))
  then
    raise exception 'the order was not paid in cash with it' using errcode = 'SP460';
  end if;
  if new.kind = 'return' and not exists (select from public.register_orders o where o.tenant_id = new.tenant_id
    and o.id = new.order_id and o.cash_returned_minor = (select sum(m.amount_minor) from public.cash_movements m
      where m.tenant_id = o.tenant_id and m.order_id = o.id and m.kind = 'return'))
  then
    raise exception 'the order counts another sum as given back' using errcode = 'SP460';
  end if;
  return null;
end $$;

create or replace trigger move_cash after insert on public.cash_movements
  for each row execute function door.move_cash();
