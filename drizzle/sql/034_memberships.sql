-- E-mail addresses are not confirmed yet: a workspace has one membership, of the customer who opens it. No other is
-- added, and it cannot pass to another person or address.
create or replace function door.refuse_joining() returns trigger
language plpgsql as $$
begin
  if current_user = 'spindle_door' and (
    tg_op = 'INSERT' and (
      new.role <> 'owner' or exists (select from public.memberships m where m.tenant_id = new.tenant_id))
    or tg_op = 'UPDATE' and (new.tenant_id, new.user_id, new.email) is distinct from (old.tenant_id, old.user_id, old.email))
  then
    raise exception 'a membership comes with its workspace'
      using errcode = '23514', constraint = 'memberships_come_with_workspace';
  end if;
  return new;
end $$;

create or replace trigger refuse_joining before insert or update on public.memberships
  for each row execute function door.refuse_joining();
