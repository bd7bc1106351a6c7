-- A sandbox tenant's clock brings its planned versions nearer. All of its versions move together, so that their order
-- stays; nothing else of a version is ever rewritten.
create or replace function door.refuse_rewrite_but_clock() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.starts_at < old.starts_at and to_jsonb(new) - 'starts_at' = to_jsonb(old) - 'starts_at' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'SP460';
end $$;
create or replace trigger append_only before update or delete on public.payment_policy_versions
  for each row execute function door.refuse_rewrite_but_clock();
grant update (starts_at) on public.payment_policy_versions to spindle_door;

create or replace function door.move_policy_starts() returns trigger
language plpgsql as $$
begin
  update public.payment_policy_versions v
  set starts_at = v.starts_at
    - make_interval(secs => new.advanced_seconds - case when tg_op = 'INSERT' then 0 else old.advanced_seconds end)
  where v.tenant_id = new.tenant_id;
  return null;
end $$;
create or replace trigger move_policy_starts after insert or update on public.sandbox_clocks
  for each row execute function door.move_policy_starts();
