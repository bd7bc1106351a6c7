-- The CHECKs of a table with four or more, asked by one trigger. Postgres reads each CHECK from text and plans it in every
-- statement, some 6 µs each; what a function asks is planned once in a session, and a call costs as much as two or three
-- CHECKs. The CHECK stays in the catalog under its name, NOT ENFORCED: one that a migration adds is held to the rows that
-- stand before it comes here.

do $do$
declare
  t record;
  v_path constant text := current_setting('search_path');
begin
  -- Expressions are written with the names of their schemas.
  perform set_config('search_path', 'pg_catalog', true);
  for t in
    select r.oid, r.relname as name,
      coalesce(string_agg(format(E'\n    when not (%s) then %L', k.holds, k.conname), '' order by k.conname)
        filter (where k.holds is not null), ' when false then null') as broken,
      coalesce((select string_agg(format(E'  %1$I constant %2$s := new.%1$I;\n', a.attname, format_type(a.atttypid, a.atttypmod)), ''
          order by a.attnum)
        from pg_attribute a where a.attrelid = r.oid and a.attnum in
          (select unnest(o.conkey) from pg_constraint o where o.conrelid = r.oid and o.contype = 'c')), '') as declared,
      string_agg(format('drop constraint %1$I, add constraint %1$I check (%2$s) not enforced', k.conname, k.holds), ', ')
        filter (where k.conenforced) as unenforced
    from pg_class r
    left join (select *, pg_get_expr(conbin, conrelid) as holds from pg_constraint where contype = 'c') k on k.conrelid = r.oid
    where r.relnamespace = 'public'::regnamespace and r.relkind = 'r'
    group by r.oid
    having count(k.oid) >= 4 or exists (select from pg_trigger g where g.tgrelid = r.oid and g.tgname = 'z_checks')
  loop
    execute format($f$create or replace function door.%1$I() returns trigger
language plpgsql as $b$
declare
%2$s  v_broken constant text := case%3$s
  end;
begin
  if v_broken is not null then
    raise check_violation using schema = 'public', table = %4$L, constraint = v_broken,
      message = format('new row for relation "%%s" violates check constraint "%%s"', %4$L, v_broken);
  end if;
  return new;
end $b$$f$, 'checks_of_' || t.name, t.declared, t.broken, t.name);
    -- Triggers fire by name: this one sees the row that is stored.
    execute format('create or replace trigger z_checks before insert or update on public.%I
      for each row execute function door.%I()', t.name, 'checks_of_' || t.name);
    if t.unenforced is not null then
      execute format('alter table public.%I %s', t.name, t.unenforced);
    end if;
  end loop;
  perform set_config('search_path', v_path, true);
end $do$;
