-- The audit trail: a chain of rows in each workspace, of which a publish appends one.
--
-- A row's digest is the SHA-256 of a JSON list of texts without spaces: the digest before it in hex (64 zeros before the
-- first), its sequence, its other columns, its objects. So it can be made again from what the interface shows.
create or replace function door.audit_content(r public.audit_events) returns text[]
language sql stable
return array[door.workspace_id(r.tenant_id), r.id::text, r.operation, r.actor_type, r.actor_id, r.request_id,
  to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')] || r.objects;

create or replace function door.audit_digest(p_previous bytea, p_sequence bigint, p_content text[]) returns bytea
language sql stable
return sha256(convert_to(array_to_json(array[encode(p_previous, 'hex'), p_sequence::text] || p_content)::text, 'UTF8'));

-- The last step of a publish. The head is its last lock, so that no two publishes wait for each other in a ring, and
-- held only until the commit.
create or replace function door.append_audit(p_principal jsonb, p jsonb) returns boolean
language plpgsql as $$
declare
  v public.audit_events;
  v_content text[];
  v_events constant jsonb := coalesce(p->'events', '[]');
  v_object text;
begin
  v.tenant_id := door.pinned_tenant();
  v.id := (p->>'publishId')::uuid;
  v.operation := p->>'operation';
  v.actor_type := p_principal->>'kind';
  v.actor_id := p_principal->>'actorId';
  v.request_id := p->>'requestId';
  v.created_at := date_trunc('milliseconds', clock_timestamp());
  v.objects := '{}';
  for at in 0 .. jsonb_array_length(v_events) - 1 loop
    v_object := (v_events->at->>'resourceType') || ':' || (v_events->at->>'resourceId');
    if v_object <> all (v.objects) then
      v.objects := v.objects || v_object;
    end if;
  end loop;
  if p ? 'subjectId' then
    if not exists (select from unnest(v.objects) o where split_part(o, ':', 2) = p->>'subjectId') then
      v.objects := v.objects || (regexp_replace(split_part(v.operation, '.', 1), 's$', '') || ':' || (p->>'subjectId'));
    end if;
  end if;
  v_content := door.audit_content(v);
  insert into public.audit_event_objects (tenant_id, id, object_id, created_at)
  select v.tenant_id, v.id, split_part(o, ':', 2), v.created_at from unnest(v.objects) o;

  update public.audit_heads h
  set sequence = h.sequence + 1, digest = door.audit_digest(h.digest, h.sequence + 1, v_content)
  where h.tenant_id = v.tenant_id returning h.sequence, h.digest into strict v.sequence, v.digest;
  insert into public.audit_events
    (tenant_id, id, sequence, operation, actor_type, actor_id, objects, request_id, created_at, digest)
  values (v.tenant_id, v.id, v.sequence, v.operation, v.actor_type, v.actor_id, v.objects, v.request_id, v.created_at,
    v.digest);
  return true;
end $$;

-- A head only moves on by one.
create or replace trigger append_only before update on public.audit_heads for each row
  when ((new.tenant_id, new.sequence, new.digest) is distinct from (old.tenant_id, old.sequence, old.digest)
    and (new.tenant_id, new.sequence) is distinct from (old.tenant_id, old.sequence + 1))
  execute function door.refuse_rewrite();
create or replace trigger append_only_kept before delete on public.audit_heads
  for each row execute function door.refuse_rewrite();
create or replace trigger append_only_whole before truncate on public.audit_heads
  for each statement execute function door.refuse_rewrite();

-- Every workspace has a head from its beginning: one without is broken.
create or replace function door.begin_audit() returns trigger
language plpgsql as $$
begin
  insert into public.audit_heads (tenant_id, sequence, digest) values (new.tenant_id, 0, decode(repeat('0', 64), 'hex'));
  return null;
end $$;
create or replace trigger begin_audit after insert on public.tenants
  for each row execute function door.begin_audit();

-- Checks up to p_limit rows of a chain behind the row p_after, which p_digest, where given, must be the digest of.
-- Reports the first break: `missing` (no row with that sequence), `edited` (the row, or what finds it by its objects, is
-- not what its digest covers), `head` (the chain does not end where the head says).
create or replace function door.verify_audit(p_tenant uuid, p_after bigint, p_digest text, p_limit int) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_head public.audit_heads;
  v_start constant bytea := case when p_after = 0 then decode(repeat('0', 64), 'hex') else (
    select e.digest from public.audit_events e where e.tenant_id = p_tenant and e.sequence = p_after) end;
  v_count bigint := 0;
  v_last bigint := p_after;
  v_digest bytea := v_start;
  v_break bigint;
  v_reason text;
begin
  select * into v_head from public.audit_heads h where h.tenant_id = p_tenant;
  if v_start is null or encode(v_start, 'hex') <> p_digest then
    v_break := p_after;
    v_reason := case when v_start is null then 'missing' else 'edited' end;
  else
    with page as (
      select e, p_after + row_number() over chain as expected, lag(e.digest, 1, v_start) over chain as previous
      from public.audit_events e where e.tenant_id = p_tenant and (e.sequence > p_after or p_after = 0)
      window chain as (order by e.sequence) order by e.sequence limit p_limit),
    judged as (
      select p.expected, (p.e).digest as digest, case
        when (p.e).sequence > p.expected then 'missing'
        when (p.e).digest is distinct from door.audit_digest(p.previous, (p.e).sequence, door.audit_content(p.e))
          or (p.e).sequence <> p.expected then 'edited'
        when exists (select from unnest((p.e).objects) o where not exists (
          select from public.audit_event_objects i where i.tenant_id = p_tenant and i.object_id = split_part(o, ':', 2)
            and i.created_at = (p.e).created_at and i.id = (p.e).id)) then 'edited'
        end as reason
      from page p)
    select count(*), min(j.expected) filter (where j.reason is not null),
      (array_agg(j.reason order by j.expected) filter (where j.reason is not null))[1]
    into v_count, v_break, v_reason from judged j;
    v_last := coalesce(v_break - 1, p_after + v_count);
    if v_last > p_after then
      select e.digest into v_digest from public.audit_events e where e.tenant_id = p_tenant and e.sequence = v_last;
    end if;
    if v_break is null and v_count < p_limit
        and (v_head.sequence, v_head.digest) is distinct from (v_last, v_digest) then
      v_break := case when v_head.sequence = v_last then v_last else least(v_head.sequence, v_last) + 1 end;
      v_reason := case when v_head.sequence > v_last then 'missing' else 'head' end;
    end if;
  end if;
  return jsonb_build_object('checked', v_count, 'hasMore', v_break is null and v_count = p_limit,
    'firstBreak', case when v_break is not null then jsonb_build_object('sequence', v_break, 'reason', v_reason) end,
    'last', jsonb_build_object('sequence', v_last, 'digest', encode(v_digest, 'hex')),
    'head', jsonb_build_object('sequence', v_head.sequence, 'digest', encode(v_head.digest, 'hex')));
end $$;

-- The same for an authorized caller, of their own workspace.
create or replace function door.verify_own_audit(p_after bigint, p_digest text, p_limit int) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp
return door.verify_audit(door.sealed_tenant(), p_after, p_digest, p_limit);

-- The heads that have moved on since the log got them, a day ago or more. Digests that are kept outside the database show
-- when a chain was made again.
create or replace function door.anchor_audit(p_now timestamptz, p_limit int) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with due as (
    select h.tenant_id from public.audit_heads h
    where h.sequence > h.anchored_sequence and (h.anchored_at <= p_now - interval '1 day') is not false
    order by h.anchored_at nulls first limit p_limit for update skip locked),
  anchored as (
    update public.audit_heads h set anchored_at = p_now, anchored_sequence = h.sequence from due where h.tenant_id = due.tenant_id
    returning h.tenant_id, h.sequence, h.digest)
  select coalesce(jsonb_agg(jsonb_build_object('tenantId', door.workspace_id(a.tenant_id), 'sequence', a.sequence,
    'digest', encode(a.digest, 'hex'))), '[]') from anchored a
$$;
grant update (anchored_at, anchored_sequence) on public.audit_heads to spindle_auth;
