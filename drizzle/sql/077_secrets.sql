-- Ids of secrets that are sealed under another key than the current one, still in use and not put off. The secrets
-- themselves are read under their tenant's pin.
create or replace function door.sealed_otherwise(p_table text, p_current text, p_now timestamptz, p_limit int) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_found jsonb;
begin
  case p_table
  when 'processor_credentials' then
    select jsonb_agg(jsonb_build_object('tenantId', c.tenant_id, 'id', c.id)) into v_found
    from (select d.* from public.processor_credentials d
      where (split_part(d.secret_key, '.', 1) <> p_current or split_part(d.webhook_secret, '.', 1) <> p_current)
        and not door.is_put_off('reseal_processor_credentials', d.tenant_id, d.id, p_now) limit p_limit) c;
  when 'webhook_secrets' then
    -- Two ranges rather than "not": an index finds them.
    select jsonb_agg(jsonb_build_object('tenantId', s.tenant_id, 'id', s.id)) into v_found
    from (select d.* from public.webhook_secrets d
      where (split_part(d.sealed, '.', 1) < p_current or split_part(d.sealed, '.', 1) > p_current)
        and (d.expires_at is null or d.expires_at > p_now)
        and not door.is_put_off('reseal_webhook_secrets', d.tenant_id, d.id, p_now) limit p_limit) s;
  end case;
  return coalesce(v_found, '[]');
end $$;

-- One row's sealed secrets with what they are bound to, only of the authorised tenant.
create or replace function door.sealed_secrets(p_table text, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_tenant constant text := door.sealed_tenant();
begin
  return case p_table
    when 'processor_credentials' then (
      select jsonb_build_object('id', c.id, 'version', c.version, 'tenantId', c.tenant_id, 'ownerId', null,
        'sealed', jsonb_build_object('secretKey', c.secret_key, 'webhookSecret', c.webhook_secret))
      from public.processor_credentials c where c.tenant_id = v_tenant and c.id = p_id)
    when 'webhook_secrets' then (
      select jsonb_build_object('id', s.id, 'version', s.version, 'tenantId', s.tenant_id, 'ownerId', s.endpoint_id,
        'sealed', jsonb_build_object('sealed', s.sealed))
      from public.webhook_secrets s where s.tenant_id = v_tenant and s.id = p_id)
  end;
end $$;
