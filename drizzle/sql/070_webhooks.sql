-- Webhooks: the transaction that makes an event makes a delivery per endpoint; a drain claims deliveries under a lease;
-- recoveries make the missing ones.

-- True when a pattern takes events of this type: '*', 'payment.*' or the type itself.
create or replace function door.takes(p_patterns text[], p_type text) returns boolean
language sql immutable
return exists (select from unnest(p_patterns) p
  where p = '*' or p = p_type or (p like '%.*' and starts_with(p_type, left(p, -1))));

-- A version 7 UUID: its time says whether a missing delivery is no longer kept.
create or replace function door.time_id() returns uuid
language sql volatile
return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;

-- An event as the interface shows it. The Worker sends these bytes unchanged: on every try the same, as long as this
-- function and the event are (a test holds the bytes of one).
create or replace function door.event_body(e public.events) returns text
language sql stable
return '{"id":' || to_json(e.id) || ',"object":"event","type":' || to_json(e.type)
  || ',"api_version":' || to_json(e.api_version)
  || ',"environment":' || (select to_json(s.environment) from public.door_settings s)
  || ',"created_at":' || to_json(to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  || ',"sequence":' || e.sequence
  || ',"data":{"object":' || e.object || ',"previous_attributes":' || e.previous_attributes || '}}';

-- Notes endpoints that have something to send; publish returns them.
create or replace function door.wake(p_endpoints uuid[]) returns void
language sql
begin atomic
  select set_config('spindle.woken',
    concat_ws(',', nullif(current_setting('spindle.woken', true), ''), array_to_string(p_endpoints, ',')), true);
end;

create or replace function door.fan_out() returns trigger
language plpgsql as $$
declare
  v_endpoints uuid[];
begin
  -- A test goes to the endpoint that it is about. One index probe where a tenant has no endpoint.
  select array_agg(e.id) into v_endpoints from public.webhook_endpoints e
  where e.tenant_id = new.tenant_id and e.status in ('enabled', 'degraded', 'paused')
    and case when new.type = 'webhook_endpoint.test' then e.id = new.resource_id else door.takes(e.event_types, new.type) end;
  if v_endpoints is null then
    return null;
  end if;
  perform door.wake(v_endpoints);
  insert into public.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status,
    attempts_count, next_attempt_at, created_at, updated_at)
  select new.tenant_id, door.time_id(), e, new.id, new.type, 'event', 'pending', 0, now(), now(), now()
  from unnest(v_endpoints) e;
  return null;
end $$;
create or replace trigger fan_out after insert on public.events
  for each row execute function door.fan_out();

create or replace trigger endpoint_limit before insert on public.webhook_endpoints
  for each row execute function door.limit_rows('50', 'deleted', 'webhook_endpoints_limit');

-- Deleting an endpoint cancels its waiting deliveries and expires its secrets.
create or replace function door.endpoint_deleted() returns trigger
language plpgsql as $$
begin
  update public.webhook_deliveries set status = 'canceled', next_attempt_at = null, finished_at = new.updated_at,
    version = version + 1, updated_at = new.updated_at
  where tenant_id = new.tenant_id and endpoint_id = new.id and next_attempt_at is not null;
  update public.webhook_secrets set expires_at = new.updated_at, version = version + 1, updated_at = new.updated_at
  where tenant_id = new.tenant_id and endpoint_id = new.id and (expires_at is null or expires_at > new.updated_at);
  return null;
end $$;
create or replace trigger endpoint_deleted after update on public.webhook_endpoints
  for each row when (old.status <> new.status and new.status = 'deleted') execute function door.endpoint_deleted();

-- Enabled by hand: earlier failed deliveries are sent again soon, not when their back-off ends.
create or replace function door.endpoint_enabled() returns trigger
language plpgsql as $$
begin
  new.hastened_at := now();
  new.hastened_until := now();
  return new;
end $$;
create or replace trigger endpoint_enabled before update on public.webhook_endpoints
  for each row when (new.status = 'enabled' and old.status in ('paused', 'disabled')) execute function door.endpoint_enabled();

create or replace function door.wake_by_hand() returns trigger
language plpgsql as $$
begin
  perform door.wake(array[new.endpoint_id]);
  return null;
end $$;
create or replace trigger wake_by_hand after insert on public.webhook_deliveries
  for each row when (new.origin = 'redelivery') execute function door.wake_by_hand();

-- One step of a recovery: it looks at five thousand events, and makes deliveries of those that the endpoint takes and has
-- neither received nor waiting.
create or replace function door.recover() returns trigger
language plpgsql as $$
declare
  v_step constant int := 5000;
  v_settles constant interval := interval '1 minute';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_looked int;
  v_made int;
begin
  if new.status <> 'running' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    update public.webhook_endpoints w set hastened_at = now(), hastened_until = now()
    where w.tenant_id = new.tenant_id and w.id = new.endpoint_id;
  end if;
  -- Steps of one endpoint run one after the other: the next one sees this one's deliveries.
  perform pg_advisory_xact_lock(hashtextextended(new.endpoint_id::text, 72));
  with looked as materialized (
    select e.id, e.created_at, e.type from public.events e
    where e.tenant_id = new.tenant_id and e.created_at >= new.since and e.created_at < new.until
      and (e.created_at, e.id) > (coalesce(new.cursor_created_at, new.since), coalesce(new.cursor_id, v_nil))
    order by e.created_at, e.id limit v_step),
  made as (
    insert into public.webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, origin, status,
      attempts_count, next_attempt_at, created_at, updated_at)
    select new.tenant_id, door.time_id(), w.id, l.id, l.type, 'recovery', 'pending', 0, now(), now(), now()
    from looked l join public.webhook_endpoints w on w.tenant_id = new.tenant_id and w.id = new.endpoint_id
    where l.type <> 'webhook_endpoint.test' and door.takes(w.event_types, l.type)
      and not exists (select from public.webhook_deliveries d where d.tenant_id = new.tenant_id and d.event_id = l.id
        and d.endpoint_id = w.id and d.status in ('pending', 'in_flight', 'retrying', 'succeeded') offset 0)
    returning 1)
  select count(*), coalesce((array_agg(l.created_at order by l.created_at desc, l.id desc))[1], new.cursor_created_at),
    coalesce((array_agg(l.id order by l.created_at desc, l.id desc))[1], new.cursor_id), (select count(*) from made)
  into v_looked, new.cursor_created_at, new.cursor_id, v_made from looked l;
  new.deliveries_count := new.deliveries_count + v_made;
  if v_looked < v_step then
    if new.until > new.created_at - v_settles and now() < new.created_at + v_settles then
      -- Transactions that began before the recovery may still commit: look at the last minute once more, later.
      new.cursor_created_at := least(new.until, new.created_at) - v_settles;
      new.cursor_id := v_nil;
    else
      new.status := 'completed';
    end if;
  end if;
  perform door.wake(array[new.endpoint_id]);
  return new;
end $$;
create or replace trigger recover before insert or update on public.webhook_recoveries
  for each row execute function door.recover();

-- The lane of a waiting delivery, as in the index of waiting deliveries: 0 in flight, 1 first tries, 2 sent again
-- (after a failure, or by a recovery).
create or replace function door.lane(p_status text, p_origin text) returns int
language sql immutable
return (case when p_status = 'in_flight' then 0 when p_status = 'retrying' or p_origin = 'recovery' then 2 else 1 end);

-- Makes deliveries that failed before their endpoint was enabled or recovered due soon, the longest waiting first: a
-- hundred a second, none later than before. One step per claim, so that no transaction is long.
create or replace function door.hasten(p_endpoint uuid) returns void
language plpgsql as $$
declare
  v_step constant int := 1000;
  v_apart constant interval := interval '10 milliseconds';
  v_endpoint public.webhook_endpoints;
  v_start timestamptz;
begin
  select * into v_endpoint from public.webhook_endpoints e where e.id = p_endpoint for no key update skip locked;
  if not found then
    return;
  end if;
  v_start := greatest(v_endpoint.hastened_until, now());
  update public.webhook_deliveries d
  set next_attempt_at = least(d.next_attempt_at, v_start + v_apart * due.number), version = d.version + 1, updated_at = now()
  from (select w.tenant_id, w.id, row_number() over (order by w.updated_at) - 1 as number from (
      select w.tenant_id, w.id, w.updated_at from public.webhook_deliveries w
      where w.endpoint_id = p_endpoint and w.status = 'retrying' and w.updated_at < v_endpoint.hastened_at
      order by w.updated_at limit v_step for update skip locked) w) due
  where d.tenant_id = due.tenant_id and d.id = due.id;
  update public.webhook_endpoints e set hastened_until = v_start + v_apart * v_step where e.id = p_endpoint;
end $$;

-- Leases the deliveries that may be sent to an endpoint now: no other drain gets them until the lease ends. At most
-- twenty are in flight, fifteen of them sent again; while the endpoint fails ten, two of them sent again and eight
-- first tries, so that failed deliveries do not displace new ones. Returns all that sending needs, so that a drain is
-- one call; or, where hastened deliveries are due soon, in how many seconds. A delivery claimed 8 times without a
-- recorded result comes back after growing waits, up to ten hours. After 16 claims we give up: this payload kills the
-- Worker.
create or replace function door.claim_deliveries(p_workspace text, p_endpoint uuid, p_limit int) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_lease constant interval := interval '45 seconds';
  v_attempts_max constant int := 8;
  v_hastening_max constant interval := interval '12 hours 1 minute';
  v_endpoint public.webhook_endpoints;
  v_first_free int;
  v_again_free int;
  v_free int;
  v_claimed jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_endpoint::text, 70));
  select * into v_endpoint from public.webhook_endpoints e
  where e.tenant_id = door.workspace_key(p_workspace) and e.id = p_endpoint and e.status in ('enabled', 'degraded');
  if not found then
    return null;
  end if;
  if v_endpoint.hastened_at > now() - v_hastening_max and exists (select from public.webhook_deliveries d
      where d.endpoint_id = p_endpoint and d.status = 'retrying' and d.updated_at < v_endpoint.hastened_at) then
    perform door.hasten(p_endpoint);
  end if;
  select case when v_endpoint.failing_since is null then 20 else 8 end - count(*) filter (where f.is_first),
    case when v_endpoint.failing_since is null then 15 else 2 end - count(*) filter (where not f.is_first),
    case when v_endpoint.failing_since is null then 20 else 10 end - count(*)
  into v_first_free, v_again_free, v_free
  from (select d.attempts_count <= 1 and d.origin <> 'recovery' as is_first from public.webhook_deliveries d
    where d.endpoint_id = p_endpoint and door.lane(d.status, d.origin) = 0 and d.next_attempt_at > now()) f;
  with lapsed as (
    select w.tenant_id, w.id, w.next_attempt_at, w.created_at, w.status, w.attempts_count from public.webhook_deliveries w
    where w.endpoint_id = p_endpoint and door.lane(w.status, w.origin) = 0 and w.next_attempt_at <= now()
    order by w.next_attempt_at limit p_limit for update skip locked),
  first as (
    select w.tenant_id, w.id, w.next_attempt_at, w.created_at, w.status, w.attempts_count from public.webhook_deliveries w
    where w.endpoint_id = p_endpoint and door.lane(w.status, w.origin) = 1 and w.next_attempt_at <= now()
    order by w.next_attempt_at limit greatest(least(p_limit, v_first_free), 0) for update skip locked),
  again as (
    select w.tenant_id, w.id, w.next_attempt_at, w.created_at, w.status, w.attempts_count from public.webhook_deliveries w
    where w.endpoint_id = p_endpoint and door.lane(w.status, w.origin) = 2 and w.next_attempt_at <= now()
    order by w.next_attempt_at limit greatest(least(p_limit, v_again_free), 0) for update skip locked),
  claimed as (
    update public.webhook_deliveries d
    set status = due.becomes,
      attempts_count = d.attempts_count + case when due.becomes = 'in_flight' then 1 else 0 end,
      next_attempt_at = case due.becomes when 'in_flight' then now() + v_lease
        when 'retrying' then now() + least(v_lease * 4 ^ (d.attempts_count - v_attempts_max), interval '10 hours') end,
      finished_at = case when due.becomes = 'exhausted' then now() end, version = d.version + 1, updated_at = now()
    from (select w.tenant_id, w.id, case when w.status <> 'in_flight' or w.attempts_count < v_attempts_max then 'in_flight'
            when w.attempts_count < 2 * v_attempts_max then 'retrying' else 'exhausted' end as becomes
          from (select * from lapsed union all select * from first union all select * from again) w
          order by w.next_attempt_at, w.created_at limit greatest(least(p_limit, v_free), 0)) due
    where d.tenant_id = due.tenant_id and d.id = due.id
    returning d.*)
  select jsonb_agg(jsonb_build_object('id', c.id, 'eventId', c.event_id, 'version', c.version,
    'attemptsCount', c.attempts_count, 'body', door.event_body(e)))
  into v_claimed
  from claimed c join public.events e on e.tenant_id = c.tenant_id and e.id = c.event_id
  where c.status = 'in_flight';
  if v_claimed is null then
    return (select jsonb_build_object('dueInSeconds', ceil(extract(epoch from d.next_attempt_at - now())))
      from public.webhook_deliveries d
      where v_endpoint.hastened_until > now() - v_lease and d.endpoint_id = p_endpoint
        and door.lane(d.status, d.origin) = 2 and d.next_attempt_at between now() and now() + v_lease
      order by d.next_attempt_at limit 1);
  end if;
  return jsonb_build_object(
    'tenantId', door.workspace_id(v_endpoint.tenant_id), 'endpointId', v_endpoint.id, 'url', v_endpoint.url,
    'status', v_endpoint.status, 'failingSince', v_endpoint.failing_since, 'deliveries', v_claimed,
    'secrets', (select jsonb_agg(s.ciphertext order by s.created_at desc) from public.webhook_secrets s
      where s.tenant_id = v_endpoint.tenant_id and s.endpoint_id = p_endpoint
        and (s.expires_at is null or s.expires_at > now())));
end $$;

-- Endpoints with something due, healthy ones first. Steps from endpoint to endpoint over the index of waiting
-- deliveries, so that millions of rows of one failing endpoint cost nothing. Also cancels deliveries that were made for
-- an endpoint while it was being deleted.
create or replace function door.waiting_endpoints(p_limit int) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with recursive waiting as (
    (select d.tenant_id, d.endpoint_id from public.webhook_deliveries d
     where d.next_attempt_at is not null order by d.endpoint_id limit 1)
    union all
    select n.tenant_id, n.endpoint_id from waiting w cross join lateral (
      select d.tenant_id, d.endpoint_id from public.webhook_deliveries d
      where d.next_attempt_at is not null and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1) n),
  left_over as (
    update public.webhook_deliveries d
    set status = 'canceled', next_attempt_at = null, finished_at = now(), version = d.version + 1, updated_at = now()
    from waiting w join public.webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
    where e.status = 'deleted' and d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.next_attempt_at is not null)
  select coalesce(jsonb_agg(jsonb_build_object('tenantId', door.workspace_id(due.tenant_id), 'endpointId', due.id)), '[]') from (
    select e.tenant_id, e.id from waiting w
    join public.webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
    where e.status in ('enabled', 'degraded') and (exists (select from public.webhook_deliveries d
        where d.endpoint_id = e.id and door.lane(d.status, d.origin) = any ('{0,1,2}') and d.next_attempt_at <= now())
      or exists (select from public.webhook_deliveries d
        where d.endpoint_id = e.id and d.status = 'retrying' and d.updated_at < e.hastened_at))
    order by e.failing_since nulls first, random() limit p_limit) due
$$;

grant update (hastened_until) on public.webhook_endpoints to spindle_auth;
grant update (status, attempts_count, next_attempt_at, finished_at, version, updated_at) on public.webhook_deliveries
  to spindle_auth;
