-- Work that time has made due, over all tenants: ids only. What is done about it is published per tenant.
create or replace function door.due(p_job text, p_now timestamptz, p_limit int)
returns table (tenant_id text, id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  case p_job
  when 'attempts' then
    -- Leased by moving the next look, so that two janitors never hold the same attempt.
    return query
      update public.payment_attempts a set next_check_at = p_now + interval '30 seconds'
      from (select d.tenant_id, d.id from public.payment_attempts d where d.next_check_at <= p_now
            order by d.next_check_at limit p_limit for update skip locked) waiting
      where a.tenant_id = waiting.tenant_id and a.id = waiting.id
      returning a.tenant_id, a.id;
  when 'funds' then
    return query select p.tenant_id, p.id from public.payments p
      where p.funds_status = 'pending' and p.available_on <= (p_now at time zone 'America/Mexico_City')::date
      order by p.available_on limit p_limit;
  when 'payments' then
    return query select p.tenant_id, p.id from public.payments p
      where p.status = 'requires_payment_method' and p.expires_at <= p_now order by p.expires_at limit p_limit;
  when 'payment_links' then
    return query select l.tenant_id, l.id from public.payment_links l
      where l.status = 'active' and l.expires_at <= p_now order by l.expires_at limit p_limit;
  when 'api_keys' then
    return query select k.tenant_id, k.id from public.api_keys k
      where (k.status = 'revoking')
        or (k.status = 'rotating' and least(k.grace_ends_at, k.expires_at) <= p_now)
        or (k.status = 'active' and k.expires_at <= p_now)
        or (k.status = 'provisioning' and k.created_at <= p_now - interval '15 minutes')
      order by k.updated_at limit p_limit;
  end case;
end $$;

-- Expires old challenges and forgets claims past their life; nobody is told, nothing else hangs on it.
create or replace function door.sweep(p_now timestamptz, p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_challenges int;
  v_claims int;
begin
  update public.step_up_challenges c set status = 'expired', token_digest = null, version = c.version + 1, updated_at = p_now
  from (select d.tenant_id, d.id from public.step_up_challenges d
        where d.status in ('pending', 'verified') and d.challenge_expires_at <= p_now - interval '1 hour'
        limit p_limit for update skip locked) due
  where c.tenant_id = due.tenant_id and c.id = due.id;
  get diagnostics v_challenges = row_count;
  delete from public.idempotency_claims c
  using (select d.tenant_id, d.operation, d.key from public.idempotency_claims d
         where d.expires_at <= p_now limit p_limit for update skip locked) due
  where c.tenant_id = due.tenant_id and c.operation = due.operation and c.key = due.key;
  get diagnostics v_claims = row_count;
  return v_challenges + v_claims;
end $$;

grant update on public.idempotency_claims to spindle_gate;
alter function door.due(text, timestamptz, int) owner to spindle_gate;
alter function door.sweep(timestamptz, int) owner to spindle_gate;
revoke execute on function door.due(text, timestamptz, int), door.sweep(timestamptz, int) from public;
grant execute on function door.due(text, timestamptz, int), door.sweep(timestamptz, int) to spindle_worker;

-- Whose attempt a processor's notification is about.
create or replace function door.attempt_tenant(p_attempt uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.tenant_id from public.payment_attempts a where a.id = p_attempt
$$;
alter function door.attempt_tenant(uuid) owner to spindle_gate;
revoke execute on function door.attempt_tenant(uuid) from public;
grant execute on function door.attempt_tenant(uuid) to spindle_worker;

-- The workspaces of a signed-in customer in this environment, oldest first.
create or replace function door.workspaces_of(p_user text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('tenant_id', t.tenant_id, 'name', t.name, 'status', t.status,
    'role', m.role, 'created_at', t.created_at) order by t.created_at, t.tenant_id), '[]')
  from public.memberships m join public.tenants t on t.tenant_id = m.tenant_id
  where m.user_id = p_user and m.status = 'active'
$$;
alter function door.workspaces_of(text) owner to spindle_gate;
revoke execute on function door.workspaces_of(text) from public;
grant execute on function door.workspaces_of(text) to spindle_worker;
