-- Authenticates the caller, checks that it may call this operation, and pins the tenant for row-level security.
-- Raises SP401 (credential), SP403 (rights) or SP404 (missing, or another's) with the reason in DETAIL.
create or replace function door.refuse(p_code text, p_reason text, p_more jsonb default '{}') returns void
language plpgsql as $$
begin
  raise exception '%', p_reason using errcode = p_code, detail = (jsonb_build_object('reason', p_reason) || p_more)::text;
end $$;

-- Whether the Worker calls: the database has digests of its secrets.
create or replace function door.is_proof(p_proof text) returns boolean
language plpgsql stable as $$
begin
  perform from door.proofs where digest = sha256(convert_to(p_proof, 'UTF8'));
  return found;
end $$;

-- 28000, as for a wrong password: the secret may be being changed.
create or replace function door.refuse_proof() returns void
language plpgsql as $$
begin
  raise exception 'no secret of DOOR_SECRETS made the proof' using errcode = '28000';
end $$;

create or replace function door.authorize(p_credential jsonb, p_operation text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v record;
begin
  select o.access, s.environment into v from public.door_operations o, public.door_settings s where o.id = p_operation;
  return door.admit(p_credential, v.access, v.environment);
end $$;

-- The same, for a caller that has read the operation's access and the environment.
create or replace function door.admit(p_credential jsonb, p_access jsonb, p_environment text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_kind constant text := p_credential->>'kind';
  v_roles constant text[] := array['member', 'admin', 'owner'];
  v_condition jsonb;
  v_key public.api_keys;
  v_member public.memberships;
  v_proof public.step_up_challenges;
  v_device public.devices;
  v_credential public.device_credentials;
  v_code public.device_pairing_codes;
  v_tenant uuid;
  v_set text;
  v_principal jsonb;
begin
  -- The digest of a key, a merchant's or a device's, is its own proof, an operator's is their login. Other credentials
  -- name no secret, a short one, or one that the merchant holds too.
  if (v_kind in ('api_key', 'operator', 'device')) is not true and not door.is_proof(p_credential->>'proof') then
    perform door.refuse_proof();
  end if;
  -- A step-up proof reads for the member whose session needs it.
  v_condition := case v_kind when 'step_up' then p_access->'session'->'stepUp' else p_access->v_kind end;
  if v_condition is null then
    perform door.refuse('SP401', 'credential_not_accepted');
  end if;

  case v_kind
  when 'api_key' then
    select * into v_key from public.api_keys where kid = p_credential->>'kid';
    if not found or v_key.digest is distinct from p_credential->'digests'->>(v_key.pepper_version::text) then
      perform door.refuse('SP401', 'api_key_invalid');
    elsif v_key.environment <> p_environment then
      perform door.refuse('SP401', 'environment_mismatch');
    elsif v_key.status in ('revoking', 'revoked') then
      perform door.refuse('SP401', case
        when v_key.grace_ends_at <= v_key.updated_at then 'api_key_rotated_out'
        when v_key.expires_at <= v_key.updated_at then 'api_key_expired'
        else 'api_key_revoked' end);
    elsif v_key.status in ('provisioning', 'failed') then
      perform door.refuse('SP401', 'api_key_not_active');
    elsif v_key.status = 'rotating' and v_key.grace_ends_at <= now() then
      perform door.refuse('SP401', 'api_key_rotated_out');
    elsif v_key.expires_at <= now() then
      perform door.refuse('SP401', 'api_key_expired');
    elsif (v_condition->'scopes' ?| v_key.scopes) is not true then
      perform door.refuse('SP403', 'insufficient_scope', jsonb_build_object('scopes', v_condition->'scopes'));
    end if;
    v_tenant := v_key.tenant_id;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', v_key.id, 'scopes', v_key.scopes);

  when 'session' then
    v_tenant := door.workspace_key(p_credential->>'tenantId');
    select * into v_member from public.memberships
    where tenant_id = v_tenant and user_id = p_credential->>'userId'
      and (status = 'active' or v_condition ? 'orRemoved');
    if not found then
      -- No request names it: the problem has a status of its own.
      if p_credential->>'tenantId' = '' then
        perform door.refuse('SP404', 'parameter_missing', '{"param": "tenant_id"}');
      end if;
      perform door.refuse('SP404', 'workspace_not_found');
    elsif (array_position(v_roles, v_member.role) >= array_position(v_roles, v_condition->>'role')) is not true then
      perform door.refuse('SP403', 'insufficient_role', jsonb_build_object('role', v_condition->>'role'));
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', v_member.user_id, 'role', v_member.role);

  when 'customer' then
    v_tenant := door.workspace_key(p_credential->>'tenantId');
    -- A signed-in user opens a workspace that does not exist yet in this environment, or retries for their own.
    if v_tenant is null and p_credential->>'tenantId' <> '' or exists (select from public.tenants where tenant_id = v_tenant)
       and not exists (select from public.memberships
                       where tenant_id = v_tenant and user_id = p_credential->>'userId' and role = 'owner'
                         and status = 'active') then
      perform door.refuse('SP404', 'workspace_not_found');
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', p_credential->>'userId');

  when 'step_up' then
    v_tenant := door.workspace_key(p_credential->>'tenantId');
    -- Reads for a change with only its proof, of a member who may make it; the publish checks session and proof again.
    select * into v_proof from public.step_up_challenges
    where token_digest = p_credential->>'tokenDigest' and tenant_id = v_tenant
      and status = 'verified' and token_expires_at > now();
    select * into v_member from public.memberships
    where tenant_id = v_proof.tenant_id and user_id = v_proof.user_id and status = 'active';
    if not found then
      perform door.refuse('SP401', 'step_up_invalid');
    elsif (array_position(v_roles, v_member.role) >= array_position(v_roles, p_access->'session'->>'role')) is not true then
      perform door.refuse('SP403', 'insufficient_role', jsonb_build_object('role', p_access->'session'->>'role'));
    elsif v_proof.action <> v_condition->>'action' then
      perform door.refuse('SP420', 'step_up_action_mismatch');
    elsif v_proof.scope <> v_condition->>'scope' then
      perform door.refuse('SP420', 'step_up_scope_mismatch');
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', v_proof.user_id, 'sessionId', v_proof.session_id);

  when 'challenge' then
    -- The customer whose step-up challenge this is.
    select tenant_id into v_tenant from public.step_up_challenges
    where id = (p_credential->>'challengeId')::uuid and user_id = p_credential->>'userId';
    if not found then
      perform door.refuse('SP404', 'step_up_challenge_not_found');
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', p_credential->>'userId');

  when 'invitee' then
    -- The customer to whose address the invitation went, or who has accepted it.
    select tenant_id into v_tenant from public.workspace_invitations
    where id = (p_credential->>'invitationId')::uuid
      and (email = p_credential->>'email' or accepted_by = p_credential->>'userId');
    if not found then
      perform door.refuse('SP404', 'invitation_not_found');
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', p_credential->>'userId');

  when 'device' then
    select * into v_credential from public.device_credentials where kid = p_credential->>'kid';
    if not found or v_credential.digest is distinct from p_credential->'digests'->>(v_credential.pepper_version::text) then
      perform door.refuse('SP401', 'device_credential_invalid');
    end if;
    select * into v_device from public.devices where tenant_id = v_credential.tenant_id and id = v_credential.device_id;
    if v_device.status <> 'paired' or v_device.pairings_count <> v_credential.pairing then
      perform door.refuse('SP401', 'device_unpaired');
    elsif v_credential.ends_at <= now() then
      perform door.refuse('SP401', 'device_credential_rotated_out');
    elsif (v_condition->'kinds' ? v_device.kind) is not true then
      perform door.refuse('SP401', 'credential_not_accepted');
    end if;
    v_tenant := v_device.tenant_id;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', v_device.id);

  when 'pairing' then
    select * into v_code from public.device_pairing_codes where prefix = p_credential->>'prefix' and status = 'active';
    if not found then
      perform door.refuse('SP401', 'pairing_code_invalid');
    elsif v_code.tries_count >= 5 then
      perform door.refuse('SP401', 'pairing_code_locked');
    elsif v_code.digest is distinct from p_credential->'digests'->>(v_code.pepper_version::text) then
      perform door.refuse('SP401', 'pairing_code_invalid');
    elsif v_code.expires_at <= now() then
      perform door.refuse('SP401', 'pairing_code_expired');
    end if;
    v_tenant := v_code.tenant_id;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', v_code.device_id);

  when 'public_id' then
    select tenant_id into v_tenant from public.public_ids where public_id = p_credential->>'publicId';
    if not found then
      perform door.refuse('SP404', 'not_found');
    end if;
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', 'buyer');

  when 'system' then
    v_tenant := door.workspace_key(p_credential->>'tenantId');
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', 'system');

  when 'operator' then
    if session_user = 'spindle_worker' then
      perform door.refuse('SP401', 'credential_not_accepted');
    end if;
    v_tenant := door.workspace_key(p_credential->>'tenantId');
    v_principal := jsonb_build_object('kind', v_kind, 'tenantId', door.workspace_id(v_tenant), 'actorId', p_credential->>'name');
  end case;

  -- Null would leave what the connection was opened with.
  v_set := set_config('spindle.tenant', coalesce(v_tenant::text, ''), true);
  v_set := set_config('spindle.seal', coalesce(door.seal(v_tenant), ''), true);
  return v_principal;
end $$;

-- Authorizes a read before a publish under an Idempotency-Key: a key that had its effect is refused here as a replay,
-- so that a replay does not cost both the read and the publish.
create or replace function door.enter(p_credential jsonb, p_operation text, p_claim jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_principal constant jsonb := door.authorize(p_credential, p_operation);
begin
  perform door.replay(door.pinned_tenant(), p_operation, p_claim);
  return v_principal;
end $$;

-- Omits a body longer than the claim's `bodyLengthMax`: Redis holds it under the publish's id.
create or replace function door.replay(p_tenant uuid, p_operation text, p_claim jsonb) returns void
language plpgsql as $$
declare
  v_claim public.idempotency_claims;
begin
  select * into v_claim from public.idempotency_claims
  where tenant_id = p_tenant and operation = p_operation
    and key = any (array(select jsonb_array_elements_text(p_claim->'keys'))) limit 1;
  if not found then
    return;
  elsif v_claim.fingerprint <> p_claim->>'fingerprint' then
    perform door.refuse('SP411', 'idempotency_key_reused');
  end if;
  perform door.refuse('SP410', 'replay', jsonb_build_object(
    'status', v_claim.reply_status, 'publishId', v_claim.publish_id,
    'body', case when length(v_claim.reply_body) <= (p_claim->>'bodyLengthMax')::int is not false
      then v_claim.reply_body end));
end $$;

-- The payment that a request under this Idempotency-Key has begun, by its public id; null: none has. So a retry is answered
-- with the payment as it is now, in the trip that reads what is sold.
create or replace function door.begun_under(p_operation text, p_keys text[], p_fingerprint text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_claim public.idempotency_claims;
begin
  select * into v_claim from public.idempotency_claims
  where tenant_id = (select door.sealed_tenant()) and operation = p_operation and key = any (p_keys) limit 1;
  if v_claim.fingerprint <> p_fingerprint then
    perform door.refuse('SP411', 'idempotency_key_reused');
  end if;
  return nullif(v_claim.reply_body, '')::jsonb->>'public_id';
end $$;

-- The only way to call functions that cross tenants, with the Worker's proof: runs as spindle_caller, which may execute
-- them and itself reads only the digests of proofs. The call names its values by index in a list, as
-- `door.owner_of(($1->>0)::text, ($1->>1)::uuid)`.
create or replace function door.call(p_proof text, p_call text, p_values jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_answer text;
begin
  if not door.is_proof(p_proof) then
    perform door.refuse_proof();
  elsif p_call !~ '^(door|simulator)\.[a-z_]+\((\(\$1->>\d+\)::[a-z]+(\[\])?(, )?)*\)$' then
    perform door.refuse('SP460', 'call_not_allowed');
  end if;
  execute 'select ' || p_call || '::text' into v_answer using p_values;
  return v_answer;
end $$;
