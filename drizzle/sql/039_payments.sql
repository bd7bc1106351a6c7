-- No payment is begun, or tried again, in a workspace that takes none. What was begun goes on.
create or replace trigger workspace_takes_payments before insert on public.payment_attempts
  for each row execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed');

-- From the first payment on, the amount, methods and installments of what is sold stay what the buyer saw.
create or replace function door.refuse_new_terms() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p where p.tenant_id = new.tenant_id and p.origin_id = new.id) then
    raise exception 'a payment has been tried on these terms'
      using errcode = '23514', constraint = tg_table_name || '_terms_frozen';
  end if;
  return new;
end $$;

-- Lines, discounts and shipping, with the tip and the markup, come to the amount. Where the rates of what is paid for are
-- known, bases and IVA come to the amount less the tip.
create or replace function door.check_payment_sums() returns trigger
language plpgsql as $$
begin
  if (old."order", old.taxes, old.amount_minor, old.tip_amount_minor, old.markup_minor)
    is not distinct from (new."order", new.taxes, new.amount_minor, new.tip_amount_minor, new.markup_minor)
  then
    return new;
  end if;
  -- A condition with a query in it is a statement, also where what stands before the query decides.
  if new."order" is not null then
    if (select sum(l.total) from jsonb_to_recordset(new."order"->'lines') l (total bigint))
      + coalesce((select sum(p.amount) from jsonb_to_recordset(new."order"->'parts') p (amount bigint)), 0)
      + new.tip_amount_minor + new.markup_minor is distinct from new.amount_minor
    then
      raise exception 'the order is not what is paid' using errcode = '23514', constraint = 'payments_order_sum';
    end if;
  end if;
  if new.taxes <> '[]' then
    if (select sum(t.base + t.iva) <> new.amount_minor - new.tip_amount_minor or bool_or(t.base < 0 or t.iva < 0)
      from jsonb_to_recordset(new.taxes) t (base bigint, iva bigint)) is not false
    then
      raise exception 'the taxes are not of what is paid' using errcode = '23514', constraint = 'payments_taxes_sum';
    end if;
  end if;
  return new;
end $$;

create or replace trigger payment_sums before insert or update on public.payments
  for each row execute function door.check_payment_sums();

-- Everything that is for sale: terms that freeze where the kind says so, and no new sale in a workspace that takes no
-- payments.
do $$
declare
  v record;
begin
  for v in select k.table_name, k.freezes from door.kinds k where k.is_sold loop
    if v.freezes then
      execute format('create or replace trigger terms_frozen before update on public.%I
        for each row when (old.terms_version <> new.terms_version) execute function door.refuse_new_terms()', v.table_name);
    end if;
    execute format('create or replace trigger workspace_takes_payments before insert on public.%I
      for each row execute function door.refuse_while(''pending'', ''in_review'', ''suspended'', ''closed'')', v.table_name);
  end loop;
end $$;

-- Adds an insert to what the key has sent that day, if a row exists; a new day begins at 0. A request whose day has
-- just ended counts towards the row's day.
create or replace function door.add_to_daily_sum() returns trigger
language plpgsql as $$
begin
  for tries in 1 .. 2 loop
    update public.daily_spend s
    set sum_minor = new.sum_minor + case when s.day >= new.day then s.sum_minor else 0 end,
      day = greatest(s.day, new.day), limit_minor = new.limit_minor, updated_at = new.updated_at
    where s.tenant_id = new.tenant_id and s.kid = new.kid and s.kind = new.kind and s.currency = new.currency;
    if found then
      return null;
    end if;
    -- Concurrent first inserts wait for each other here, so that the second finds a row.
    perform pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'daily_spend', new.tenant_id, new.kid, new.kind, new.currency), 0));
  end loop;
  return new;
end $$;

create or replace trigger add_to_daily_sum before insert on public.daily_spend
  for each row execute function door.add_to_daily_sum();

-- The tenant of the attempt that a processor's notification names.
create or replace function door.attempt_tenant(p_attempt uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select door.workspace_id(a.tenant_id) from public.payment_attempts a where a.id = p_attempt
$$;

-- The tenant of a CLABE that money arrived on, while it is lent or quarantined.
create or replace function door.clabe_tenant(p_clabe text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select door.workspace_id(c.tenant_id) from public.clabes c where c.clabe = p_clabe and c.status in ('assigned', 'quarantined')
$$;

-- An expired payment that the merchant honors is paid beside what took its place: it then stands for itself.
create or replace function door.stand_for_itself() returns trigger
language plpgsql as $$
begin
  if old.status = 'expired' and new.status = 'succeeded' then
    new.replaces_id := null;
  end if;
  return new;
end $$;
create or replace trigger stand_for_itself before update on public.payments
  for each row execute function door.stand_for_itself();

-- Whether a payment is under way or made of what is sold once.
create or replace function door.is_being_paid(p_tenant uuid, p_kind text, p_origin uuid) returns boolean
language sql stable
return exists (select from public.payments p where p.tenant_id = p_tenant and p.origin_type = p_kind
  and p.origin_id = p_origin and p.exclusive
  and p.status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured'));

-- Refuses a move of what is sold while a payment of it is under way. Its arguments: the origin's kind, and the constraint
-- that the refusal names.
create or replace function door.refuse_while_paying() returns trigger
language plpgsql as $$
begin
  if door.is_being_paid(new.tenant_id, tg_argv[0], new.id) then
    raise exception 'a payment of it is under way' using errcode = '23514', constraint = tg_argv[1];
  end if;
  return new;
end $$;
