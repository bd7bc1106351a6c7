-- Secrets that are sealed under another key than the current one and still open something, without what was put off.
-- A row comes with what its secrets are bound to.
drop function if exists door.credentials_to_reseal(text, int);
create or replace function door.sealed_otherwise(p_table text, p_current text, p_now timestamptz, p_limit int) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_found jsonb;
begin
  case p_table
  when 'processor_credentials' then
    select jsonb_agg(jsonb_build_object('tenantId', c.tenant_id, 'id', c.id, 'version', c.version, 'ownerId', null,
      'sealed', jsonb_build_object('secretKey', c.secret_key, 'webhookSecret', c.webhook_secret))) into v_found
    from (select d.* from public.processor_credentials d
      where (split_part(d.secret_key, '.', 1) <> p_current or split_part(d.webhook_secret, '.', 1) <> p_current)
        and not door.is_put_off('reseal_processor_credentials', d.tenant_id, d.id, p_now) limit p_limit) c;
  when 'webhook_secrets' then
    -- Two ranges rather than "not": an index finds them.
    select jsonb_agg(jsonb_build_object('tenantId', s.tenant_id, 'id', s.id, 'version', s.version, 'ownerId', s.endpoint_id,
      'sealed', jsonb_build_object('sealed', s.sealed))) into v_found
    from (select d.* from public.webhook_secrets d
      where (split_part(d.sealed, '.', 1) < p_current or split_part(d.sealed, '.', 1) > p_current)
        and (d.expires_at is null or d.expires_at > p_now)
        and not door.is_put_off('reseal_webhook_secrets', d.tenant_id, d.id, p_now) limit p_limit) s;
  end case;
  return coalesce(v_found, '[]');
end $$;

alter function door.sealed_otherwise(text, text, timestamptz, int) owner to spindle_gate;
revoke execute on function door.sealed_otherwise(text, text, timestamptz, int) from public;
grant execute on function door.sealed_otherwise(text, text, timestamptz, int) to spindle_worker;
