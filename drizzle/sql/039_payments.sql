-- No payment is begun, or tried again, in a workspace that takes none. What was begun goes on.
create or replace trigger workspace_takes_payments before insert on public.payment_attempts
  for each row execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed');

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
  select a.tenant_id from public.payment_attempts a where a.id = p_attempt
$$;

-- The tenant of a CLABE that money arrived on, while it is lent or quarantined.
create or replace function door.clabe_tenant(p_clabe text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id from public.clabes c where c.clabe = p_clabe and c.status in ('assigned', 'quarantined')
$$;
