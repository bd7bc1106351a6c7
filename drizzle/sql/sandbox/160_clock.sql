-- A sandbox tenant's clock: advancing it moves every open deadline of the tenant nearer by as much, so that no code
-- needs another now. Dates move by the whole days that the clock has completed.
create or replace function door.advance_clock() returns trigger
language plpgsql as $$
declare
  v_before constant bigint := case when tg_op = 'INSERT' then 0 else old.advanced_seconds end;
  v_by constant interval := make_interval(secs => new.advanced_seconds - v_before);
  v_days constant int := new.advanced_seconds / 86400 - v_before / 86400;
  t constant uuid := new.tenant_id;
begin
  if new.advanced_seconds <= v_before then
    raise exception 'the clock goes forward only' using errcode = '23514', constraint = 'sandbox_clocks_forward';
  end if;
  perform door.move_deadlines(t, v_by, v_days);
  perform simulator.advance(array(select id from public.payment_attempts where tenant_id = t), v_by);
  return new;
end $$;

create or replace trigger advance_clock before insert or update on public.sandbox_clocks
  for each row execute function door.advance_clock();

-- Moves the simulator's deadlines of these attempts.
create or replace function simulator.advance(p_references uuid[], p_by interval) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c record;
begin
  for c in
    select a.attrelid::regclass as tbl, quote_ident(a.attname) as col from pg_attribute a
    join pg_class r on r.oid = a.attrelid and r.relkind = 'r'
    where r.relnamespace = 'simulator'::regnamespace and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
      and a.attname in ('expires_at', 'capture_before', 'opens_at', 'evidence_due_by', 'settles_at', 'answers_at')
      and exists (select from pg_attribute k where k.attrelid = a.attrelid and k.attname = 'reference')
  loop
    execute format('update %s set %s = %2$s - $1 where reference = any ($2) and %2$s is not null', c.tbl, c.col)
    using p_by, p_references;
  end loop;
end $$;
