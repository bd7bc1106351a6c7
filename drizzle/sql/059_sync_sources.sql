-- A source's id of an erased customer, as its tombstone has it.
create or replace function door.external_id_digest(p_tenant uuid, p_source uuid, p_external_id text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(k.outer_key || sha256(k.inner_key
    || convert_to(concat_ws(':', 'external_id', p_tenant, p_source, p_external_id), 'UTF8'))), 'hex')
  from door.seal_keys k where k.is_only
$$;

create or replace function door.keep_tombstone() returns trigger
language plpgsql as $$
begin
  new.external_id_digest := door.external_id_digest(old.tenant_id, old.source_id, old.external_id);
  return new;
end $$;
create or replace trigger keep_tombstone before update on public.customer_external_ids
  for each row when (old.external_id is not null and new.external_id is null)
  execute function door.keep_tombstone();

-- Whom the keys of a batch's records find: `i:<source> <id>` by a source's id, `o:<id>` by the business's own, `email:` and
-- `phone:` by a verified contact. Each key is looked up by itself, in an index also where a table is small or new.
create or replace function door.sync_matches(p jsonb) returns table (key text, customer_id uuid)
language sql stable as $$
  select concat('i:', k->>0, ' ', k->>1), door.surviving_customer(e.customer_id)
  from jsonb_array_elements(p->'ids') k, lateral (
    select e.customer_id from public.customer_external_ids e where e.tenant_id = (select door.pinned_tenant())
      and e.source_id = (k->>0)::uuid and e.external_id = k->>1 limit 1) e
  union all
  select concat('i:', k->>0, ' ', k->>1), e.customer_id
  from (select k from jsonb_array_elements(p->'ids') k where exists (select from public.customer_external_ids e
      where e.tenant_id = (select door.pinned_tenant()) and e.external_id_digest is not null)) k (k), lateral (
    select e.customer_id from public.customer_external_ids e where e.tenant_id = (select door.pinned_tenant())
      and e.source_id = (k->>0)::uuid and e.external_id_digest
        = door.external_id_digest((select door.pinned_tenant()), (k->>0)::uuid, k->>1) limit 1) e
  union all
  select 'o:' || k, c.id
  from jsonb_array_elements_text(p->'own') k, lateral (
    select c.id from public.customers c where c.tenant_id = (select door.pinned_tenant())
      and c.external_id = k and c.status in ('active', 'blocked') limit 1) c
  union all
  select concat(k->>0, ':', k->>1), door.surviving_customer(c.customer_id)
  from jsonb_array_elements(p->'contacts') k, lateral (
    select c.customer_id from public.customer_contacts c where c.tenant_id = (select door.pinned_tenant())
      and c.kind = k->>0 and c.value = k->>1 and c.status = 'active' and c.verified_at is not null limit 1) c
$$;

create or replace trigger sync_source_limit before insert on public.sync_sources
  for each row execute function door.limit_rows('50', 'disconnected', 'sync_sources_limit');

-- A workspace's uploaded files are bounded: the lock makes concurrent inserts wait for each other.
create or replace function door.sync_file_quota() returns trigger
language plpgsql as $$
declare
  v_files_max constant int := 200;
  v_bytes_max constant bigint := 500 * 1024 * 1024;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.tenant_id::text, 74));
  if (select count(*) >= v_files_max or coalesce(sum(f.bytes), 0) + new.bytes > v_bytes_max
    from public.sync_files f where f.tenant_id = new.tenant_id and f.status <> 'removed')
  then
    raise exception 'the quota of uploaded files is used up' using errcode = '23514', constraint = 'sync_files_quota';
  end if;
  return new;
end $$;
create or replace trigger sync_file_quota before insert on public.sync_files
  for each row execute function door.sync_file_quota();

-- Deletes at most p_limit lists of refused records that are over 30 days old.
create or replace function door.forget_refusals(p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_count int;
begin
  delete from public.sync_refusals r using (
    select d.tenant_id, d.id from public.sync_refusals d where d.created_at < now() - interval '30 days'
    order by d.created_at limit p_limit) o
  where r.tenant_id = o.tenant_id and r.id = o.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

grant delete on public.sync_refusals to spindle_auth;

-- Replies to batches by their time: an erasure reads them in parts.
create index if not exists idempotency_claims_batches on public.idempotency_claims (tenant_id, publish_id)
  where operation = 'sync_sources.push_records';

-- Replies to batches that name customers or their ids here. A batch also names customers that it left as they were, of which
-- no event tells: so the replies themselves are read, of 30 days at most.
create or replace function door.erase_batches(p_tenant uuid, p_customers uuid[], p_from uuid, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_texts constant text[] := p_customers::text[] || array(
    select '"external_id":' || to_json(x.external_id)::text from public.customer_external_ids x
    where x.tenant_id = p_tenant and x.customer_id = any (p_customers) and x.external_id is not null);
  v_ids constant uuid[] := array(select k.publish_id from public.idempotency_claims k
    where k.tenant_id = p_tenant and k.operation = 'sync_sources.push_records' and k.publish_id > p_from
    order by k.publish_id fetch first (p_limit) rows with ties);
  v_count int;
  v_forget jsonb;
begin
  with named as (
    select k.key, k.publish_id, door.is_remembered(k.publish_id, k.reply_body) as is_remembered
    from public.idempotency_claims k
    where k.tenant_id = p_tenant and k.operation = 'sync_sources.push_records' and k.publish_id = any (v_ids)
      and exists (select from unnest(v_texts) t where strpos(k.reply_body, t) > 0)),
  emptied as (
    update public.idempotency_claims k set reply_body = '' from named n
    where k.tenant_id = p_tenant and k.operation = 'sync_sources.push_records' and k.key = n.key
    returning n.publish_id, n.is_remembered)
  select count(*), jsonb_agg(distinct publish_id) filter (where is_remembered) into v_count, v_forget from emptied;
  return door.part_read(v_ids, v_count, p_limit) || jsonb_build_object('forget', coalesce(v_forget, '[]'));
end $$;
