-- The Stripe accounts of sync sources. A source that stops is not read; one that is disconnected has no secrets any more.
create or replace function door.move_connection() returns trigger
language plpgsql as $$
begin
  update public.stripe_connections k
  set next_check_at = case when new.status = 'active' then now() end,
    api_key = case when new.status <> 'disconnected' then k.api_key end,
    webhook_secret = case when new.status <> 'disconnected' then k.webhook_secret end,
    version = k.version + 1
  where k.tenant_id = new.tenant_id and k.id = new.id;
  return null;
end $$;
create or replace trigger move_connection after update on public.sync_sources
  for each row when (old.status <> new.status and new.kind = 'stripe') execute function door.move_connection();

-- A source's tenant and its secrets, still encrypted; null where there is no such account or it was disconnected.
create or replace function door.stripe_connection(p_source uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('tenantId', door.workspace_id(k.tenant_id), 'apiKey', k.api_key, 'webhookSecret', k.webhook_secret)
  from public.stripe_connections k where k.id = p_source and k.api_key is not null
$$;

-- Claims the next reading of an active source's events for the caller; null where one is under way or due. If the caller
-- dies, the job reads them after 30 seconds.
create or replace function door.claim_stripe_reading(p_source uuid) returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.stripe_connections k set next_check_at = now() + interval '30 seconds'
  where k.id = p_source and k.next_check_at > now() + interval '30 seconds'
  returning 'claimed'
$$;
