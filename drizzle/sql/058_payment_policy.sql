-- Every workspace begins with version 1 of its policy, which narrows nothing.
create or replace function door.begin_policy() returns trigger
language plpgsql as $$
begin
  insert into public.payment_policies (tenant_id, id, version, created_at, updated_at)
  values (new.tenant_id, gen_random_uuid(), 1, new.created_at, new.created_at);
  insert into public.payment_policy_versions (tenant_id, id, version, settings, changes, created_at)
  values (new.tenant_id, gen_random_uuid(), 1, '{}', '[]', new.created_at);
  return null;
end $$;
create or replace trigger begin_policy after insert on public.tenants
  for each row execute function door.begin_policy();
