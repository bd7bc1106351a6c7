-- A workspace begins with its owner's membership. Every other one comes with an invitation that the same person has
-- accepted in the same publish, and which a member sent who may still do so; each invitation counts once. A membership
-- cannot pass to another person or address.
create or replace function door.refuse_joining() returns trigger
language plpgsql as $$
declare
  v_inviter public.memberships;
begin
  if current_user <> 'spindle_door'
     or tg_op = 'INSERT' and new.role = 'owner' and new.invitation_id is null
       and not exists (select from public.memberships m where m.tenant_id = new.tenant_id) then
    return new;
  elsif tg_op = 'UPDATE' then
    if (new.tenant_id, new.id, new.user_id, new.email) is distinct from (old.tenant_id, old.id, old.user_id, old.email) then
      raise exception 'a membership is of one person' using errcode = '23514', constraint = 'memberships_are_of_one_person';
    elsif (new.status = 'removed' or old.status = 'active') and new.invitation_id is not distinct from old.invitation_id then
      return new;
    elsif new.invitation_id is not distinct from old.invitation_id then
      raise exception 'an invitation counts once' using errcode = '23514', constraint = 'memberships_come_with_invitation';
    end if;
  end if;
  select m.* into v_inviter from public.workspace_invitations i
  join public.memberships m on m.tenant_id = i.tenant_id and m.user_id = i.invited_by
  where i.tenant_id = new.tenant_id and i.id = new.invitation_id and i.status = 'accepted' and i.accepted_by = new.user_id
    and i.email = new.email and i.role = new.role and new.status = 'active'
  for share of m;
  if v_inviter.status is distinct from 'active'
     or (v_inviter.role = 'owner' or v_inviter.role = 'admin' and new.role <> 'owner') is not true then
    raise exception 'a membership comes with an invitation'
      using errcode = '23514', constraint = 'memberships_come_with_invitation';
  end if;
  return new;
end $$;

create or replace trigger refuse_joining before insert or update on public.memberships
  for each row execute function door.refuse_joining();

-- The lock on the workspace makes changes at once see each other: of two owners who remove each other one stays.
create or replace function door.keep_an_owner() returns trigger
language plpgsql as $$
begin
  if old.role = 'owner' and old.status = 'active' and (tg_op = 'DELETE' or new.role <> 'owner' or new.status <> 'active') then
    perform from public.tenants t where t.tenant_id = old.tenant_id for no key update;
    if not exists (select from public.memberships m
                   where m.tenant_id = old.tenant_id and m.role = 'owner' and m.status = 'active') then
      raise exception 'a workspace keeps an owner' using errcode = '23514', constraint = 'memberships_keep_an_owner';
    end if;
  end if;
  return null;
end $$;

create or replace trigger keep_an_owner after update or delete on public.memberships
  for each row execute function door.keep_an_owner();

create or replace function door.limit_invitations() returns trigger
language plpgsql as $$
declare
  c_pending_max constant int := 50;
begin
  perform from public.tenants t where t.tenant_id = new.tenant_id for no key update;
  if c_pending_max <= (select count(*) from public.workspace_invitations i
                       where i.tenant_id = new.tenant_id and i.status = 'pending') then
    raise exception 'a workspace has at most % pending invitations', c_pending_max
      using errcode = '23514', constraint = 'workspace_invitations_limit';
  end if;
  return new;
end $$;

create or replace trigger limit_invitations before insert on public.workspace_invitations
  for each row execute function door.limit_invitations();

-- What the page of an invitation says, for the holder of its link: revoked, too, where refuse_joining would refuse it.
create or replace function door.invitation(p_id uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('workspace', t.name, 'role', i.role, 'inviter', i.invited_by_email, 'email', i.email, 'expires_at', i.expires_at,
    'status', case when i.status <> 'pending' then i.status when i.expires_at <= now() then 'expired'
      when exists (select from public.memberships m
                   where m.tenant_id = i.tenant_id and m.user_id = i.invited_by and m.status = 'active'
                     and (m.role = 'owner' or m.role = 'admin' and i.role <> 'owner')) then 'pending'
      else 'revoked' end)
  from public.workspace_invitations i join public.tenants t on t.tenant_id = i.tenant_id where i.id = p_id
$$;
