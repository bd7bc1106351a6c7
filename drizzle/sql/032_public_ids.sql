-- A row with a public id is found by it: its table's trigger names the kind, in the publish that inserts the row.
create or replace function door.keep_public_id() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'a public id does not change' using errcode = 'SP460';
  end if;
  insert into public.public_ids (public_id, tenant_id, kind, id) values (new.public_id, new.tenant_id, tg_argv[0], new.id);
  return null;
end $$;

do $$
declare
  v record;
begin
  for v in select k.kind, k.table_name from door.kinds k where k.has_public_ids loop
    execute format('create or replace trigger keep_public_id after insert on public.%I
      for each row execute function door.keep_public_id(%L)', v.table_name, v.kind);
    execute format('create or replace trigger keep_public_id_anew after update on public.%I
      for each row when (old.public_id <> new.public_id) execute function door.keep_public_id(%L)', v.table_name, v.kind);
  end loop;
end $$;
