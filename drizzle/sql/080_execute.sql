-- Who owns the functions in schema door, and who may execute them; trigger functions need no right.
--   security definer  owned by spindle_auth and executed by spindle_caller through door.call, unless listed
--   of_reader, planned  owned by spindle_reader and executed by the Worker
--   all others        run with their caller's rights: executed by spindle_door within publish, and by others as listed
do $$
declare
  f record;
  v_owner text;
  v_roles text[];
  of_auth constant text[] := array['has_unconfirmed', 'hasten', 'is_put_off', 'lane', 'seal'];
  of_reader constant text[] := array['beside_links', 'beside_table_sessions'];
  for_auth constant text[] := array['audit_content', 'audit_digest', 'awaits_release', 'commit_order', 'event_body', 'id_at', 'is_being_paid', 'is_proof', 'pinned_tenant', 'refuse',
    'refuse_proof', 'replay', 'workspace_id', 'workspace_key'];
  for_caller constant text[] := array['is_proof', 'refuse', 'refuse_proof'];
  for_door constant text[] := array['admit', 'authorize', 'details_given_with', 'explain_proof', 'external_id_digest', 'mail_digest', 'mail_refused'];
  for_reader constant text[] := array['begun_under', 'customers_within', 'discount_uses_of', 'environment_methods', 'external_id_digest', 'is_off_sale', 'mailbox_of', 'pinned_tenant', 'risk_asked_again', 'risk_customers', 'risk_decided', 'risk_described', 'risk_features', 'risk_holds', 'risk_listed', 'sealed_tenant', 'surviving_customer', 'sync_matches'];
  for_worker constant text[] := array['authorize', 'begun_under', 'beside_links', 'beside_table_sessions', 'call', 'customers_within', 'details_given_with', 'discount_uses_of', 'email_digest', 'emails_of', 'enter', 'environment_methods', 'events_horizon', 'external_id_digest',
    'is_off_sale', 'is_sealed', 'is_unproved', 'mailbox_of', 'metadata_entry', 'open_business', 'personal_rows', 'pinned_tenant', 'prices_alive', 'publish', 'readable_event_types', 'reported_until', 'risk_asked_again', 'risk_customers', 'risk_decided', 'risk_described', 'risk_features', 'risk_holds', 'risk_listed', 'sealed_tenant', 'surviving_customer',
    'sync_matches', 'verify_own_audit', 'workspace_is_open'];
begin
  grant create on schema door to spindle_caller, spindle_reader;
  for f in select p.oid::regprocedure as signature, p.proname as name, p.prosecdef as is_definer
           from pg_proc p where p.pronamespace = 'door'::regnamespace and p.prorettype <> 'trigger'::regtype
  loop
    v_owner := case when f.name = 'publish' then 'spindle_door' when f.name = 'call' then 'spindle_caller'
      when f.name = any (of_reader) or f.name like 'planned\_%' then 'spindle_reader'
      when f.is_definer or f.name = any (of_auth) then 'spindle_auth' else current_user end;
    v_roles := array[v_owner]
      || case when f.name = any (for_door) or v_owner = current_user then 'spindle_door' end
      || case when f.name = any (for_auth) then 'spindle_auth' end
      || case when f.name = any (for_worker) or f.name like 'planned\_%' then 'spindle_worker' end
      || case when f.name = any (for_reader) then 'spindle_reader' end
      || case when f.name = any (for_caller) or f.is_definer and not f.name = any (for_worker || for_door) and v_owner <> 'spindle_reader'
           then 'spindle_caller' end;
    execute format('alter function %s owner to %I', f.signature, v_owner);
    execute format('revoke all on function %s from spindle_door, spindle_auth, spindle_caller, spindle_reader, spindle_worker', f.signature);
    execute format('grant execute on function %s to %s', f.signature, array_to_string(v_roles, ', '));
  end loop;
  revoke create on schema door from spindle_caller, spindle_reader;
end $$;
