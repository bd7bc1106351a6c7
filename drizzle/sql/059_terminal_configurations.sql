-- Only an active configuration is newly named. The lock makes a change of it wait for who names it, and the other way round.
create or replace function door.names_active_configuration() returns trigger
language plpgsql as $$
declare
  v_status text;
begin
  select c.status into v_status from public.terminal_configurations c
  where c.tenant_id = new.tenant_id and c.id = new.terminal_configuration_id for share;
  if v_status <> 'active' then
    raise exception 'the configuration is archived' using errcode = '23514', constraint = 'terminal_configuration_active';
  end if;
  return new;
end $$;
do $$
declare
  t text;
begin
  foreach t in array array['devices', 'locations'] loop
    execute format('create or replace trigger names_configuration before insert on public.%I
      for each row when (new.terminal_configuration_id is not null)
      execute function door.names_active_configuration()', t);
    execute format('create or replace trigger names_other_configuration before update on public.%I
      for each row when (new.terminal_configuration_id is distinct from old.terminal_configuration_id)
      execute function door.names_active_configuration()', t);
  end loop;
end $$;
