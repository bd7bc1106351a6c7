-- Keys of a pool go to those who wait for one, both the oldest first. The lock orders grants and new keys of an item, so
-- that no key stays free beside an entitlement that waits.
create or replace function door.assign_license_keys(p_tenant uuid, p_item uuid, p_at timestamptz) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'license_keys', p_tenant, p_item), 0));
  with waiting as materialized (
    select e.id, row_number() over () as at from (select w.id from public.entitlements w
      where w.tenant_id = p_tenant and w.item_id = p_item and w.status = 'pending' and w.code_from = 'pool'
      order by w.created_at, w.id) e),
  free as materialized (
    select k.id, row_number() over () as at from (select f.id from public.license_keys f
      where f.tenant_id = p_tenant and f.item_id = p_item and f.status = 'available'
      order by f.created_at, f.id limit (select count(*) from waiting) for update) k),
  assigned as (
    update public.license_keys k set status = 'assigned', entitlement_id = w.id, version = k.version + 1, updated_at = p_at
    from waiting w join free f on f.at = w.at where k.tenant_id = p_tenant and k.id = f.id
    returning k.entitlement_id, k.last4)
  update public.entitlements e
  set status = 'active', ready_at = p_at, code_last4 = a.last4, version = e.version + 1, updated_at = p_at
  from assigned a where e.tenant_id = p_tenant and e.id = a.entitlement_id;
end $$;

-- Grants what a payment of this quantity, or a session that cost nothing, delivers, by the policies that the items have then.
create or replace function door.grant_delivered(e public.entitlements, p_delivers jsonb, p_quantity int) returns void
language plpgsql as $$
declare
  v_item uuid;
begin
  insert into public.entitlements (tenant_id, id, status, item_id, payment_id, checkout_session_id, kind, number, revocation_policy,
    downloads_max, downloads_count, expires_at, code_from, ready_at, created_at, updated_at)
  select e.tenant_id, gen_random_uuid(), case when g.code_from is null then 'active' else 'pending' end, g.id, e.payment_id,
    e.checkout_session_id, g.kind, n, g.revocation_policy, g.downloads_max, 0, e.created_at + make_interval(days => g.access_days), g.code_from,
    case when g.code_from is null then e.created_at end, e.created_at, e.created_at
  from (select i.*, d.quantity, case when i.kind = 'voucher' then 'generated' else i.keys end as code_from
    from jsonb_to_recordset(p_delivers) d (item_id uuid, quantity int)
    join public.catalog_items i on i.tenant_id = e.tenant_id and i.id = d.item_id) g,
    generate_series(1, case when g.kind = 'file' then 1 else g.quantity * p_quantity end) n;
  for v_item in select distinct o.item_id from public.entitlements o
    where o.tenant_id = e.tenant_id and (o.payment_id = e.payment_id or o.checkout_session_id = e.checkout_session_id)
      and o.code_from = 'pool' order by 1
  loop
    perform door.assign_license_keys(e.tenant_id, v_item, e.created_at);
  end loop;
end $$;

-- With its first captured money a payment grants what its origin delivers.
create or replace function door.grant_entitlements() returns trigger
language plpgsql as $$
declare
  v_delivers jsonb;
  e public.entitlements;
begin
  if old.amount_captured_minor > 0 or new.amount_captured_minor = 0 then
    return null;
  end if;
  if not exists (select from door.kinds k where k.kind = new.origin_type and k.takes_stock) then
    return null;
  end if;
  v_delivers := coalesce(new.delivers, nullif(door.sold_now(new.origin_type, new.tenant_id, new.origin_id)->'delivers', 'null'));
  if v_delivers is not null then
    e.tenant_id := new.tenant_id;
    e.payment_id := new.id;
    e.created_at := new.updated_at;
    perform door.grant_delivered(e, v_delivers, new.quantity);
  end if;
  return null;
end $$;

create or replace trigger grant_entitlements after update on public.payments
  for each row execute function door.grant_entitlements();

-- Adds a download to the row of its file, if one exists: the CHECK entitlement_downloads_bounded bounds how often. The
-- entitlement's lock orders the downloads, so that none misses the row of another.
create or replace function door.add_download() returns trigger
language plpgsql as $$
begin
  select e.downloads_max into strict new.downloads_max from public.entitlements e
  where e.tenant_id = new.tenant_id and e.id = new.entitlement_id for no key update;
  update public.entitlement_downloads d set downloads_count = d.downloads_count + new.downloads_count
  where d.tenant_id = new.tenant_id and d.entitlement_id = new.entitlement_id and d.file_id = new.file_id;
  return case when found then null else new end;
end $$;

create or replace trigger add_download before insert on public.entitlement_downloads
  for each row execute function door.add_download();

-- Only what the buyer has is downloaded.
create or replace function door.refuse_download() returns trigger
language plpgsql as $$
begin
  raise exception 'the buyer does not have it'
    using errcode = '23514', constraint = 'entitlements_downloaded_active';
end $$;

create or replace trigger downloads_of_active before update on public.entitlements
  for each row when (new.downloads_count > old.downloads_count and new.status <> 'active')
  execute function door.refuse_download();

-- The item's lock orders the files that are stored at once, so that they are counted.
create or replace function door.limit_delivered_files() returns trigger
language plpgsql as $$
begin
  perform from public.catalog_items i where i.tenant_id = new.tenant_id and i.id = new.item_id for no key update;
  if (select count(*) from public.delivered_files f where f.tenant_id = new.tenant_id and f.item_id = new.item_id
      and f.status = 'stored') >= 20 then
    raise exception 'too many files' using errcode = '23514', constraint = 'delivered_files_max';
  end if;
  return new;
end $$;

create or replace trigger limit_files before update on public.delivered_files
  for each row when (old.status <> 'stored' and new.status = 'stored') execute function door.limit_delivered_files();

create or replace function door.assign_new_keys() returns trigger
language plpgsql as $$
declare
  v record;
begin
  for v in select a.tenant_id, a.item_id, max(a.created_at) as at from added a group by 1, 2 order by 2 loop
    perform door.assign_license_keys(v.tenant_id, v.item_id, v.at);
  end loop;
  return null;
end $$;

create or replace trigger assign_new_keys after insert on public.license_keys
  referencing new table as added for each statement execute function door.assign_new_keys();

-- Why what a payment granted is taken back; null: the buyer has it. A lost dispute takes back what a refund could.
create or replace function door.taken_back_by(e public.entitlements) returns text
language sql stable
return (select case
    when p.amount_refunded_minor > 0 and (e.revocation_policy = 'any_refund'
      or e.revocation_policy = 'full_refund' and p.amount_refunded_minor = p.amount_captured_minor) then 'refund'
    when e.revocation_policy <> 'never' and exists (select from public.disputes d
      where d.tenant_id = e.tenant_id and d.payment_id = e.payment_id and d.status = 'lost') then 'dispute' end
  from public.payments p where p.tenant_id = e.tenant_id and p.id = e.payment_id);

-- Revokes and gives back what a payment granted, by its refunds and disputes as they are now: a refund may fail, and no
-- decision of a bank is final. What the merchant revoked stays so. What has no key or code yet waits for it again.
create or replace function door.revise_entitlements(p_tenant uuid, p_payment uuid, p_at timestamptz) returns void
language plpgsql as $$
declare
  v_item uuid;
begin
  update public.entitlements e
  set status = case when r.because is not null then 'revoked' when e.ready_at is null then 'pending' else 'active' end,
    revoked_because = r.because, revoked_at = case when r.because is not null then coalesce(e.revoked_at, p_at) end,
    version = e.version + 1, updated_at = p_at
  from (select o.id, door.taken_back_by(o) as because from public.entitlements o
    where o.tenant_id = p_tenant and o.payment_id = p_payment) r
  where e.tenant_id = p_tenant and e.id = r.id and e.revoked_because is distinct from r.because
    and e.revoked_because is distinct from 'merchant';
  for v_item in select distinct e.item_id from public.entitlements e where e.tenant_id = p_tenant
    and e.payment_id = p_payment and e.status = 'pending' and e.code_from = 'pool' order by 1
  loop
    perform door.assign_license_keys(p_tenant, v_item, p_at);
  end loop;
end $$;

-- A refund counts on its payment without setting its time.
create or replace function door.follow_refunds() returns trigger
language plpgsql as $$
begin
  perform door.revise_entitlements(new.tenant_id, new.id, greatest(new.updated_at, date_trunc('milliseconds', now())));
  return null;
end $$;

create or replace trigger follow_refunds after update on public.payments
  for each row when (old.amount_refunded_minor <> new.amount_refunded_minor) execute function door.follow_refunds();

create or replace function door.follow_disputes() returns trigger
language plpgsql as $$
begin
  perform door.revise_entitlements(new.tenant_id, new.payment_id, new.updated_at);
  return null;
end $$;

create or replace trigger follow_new_disputes after insert on public.disputes
  for each row when (new.status = 'lost') execute function door.follow_disputes();
create or replace trigger follow_disputes after update on public.disputes
  for each row when (old.status <> new.status and 'lost' in (old.status, new.status))
  execute function door.follow_disputes();

-- The merchant gives back what the merchant revoked, not what a refund or a lost dispute took back.
create or replace function door.refuse_giving_back() returns trigger
language plpgsql as $$
begin
  if door.taken_back_by(new) is not null then
    raise exception 'the money went back' using errcode = '23514', constraint = 'entitlements_taken_back';
  end if;
  return new;
end $$;

create or replace trigger given_back before update on public.entitlements
  for each row when (old.status = 'revoked' and new.status <> 'revoked') execute function door.refuse_giving_back();

-- What the merchant gives back waits for a key like any other: one may have come meanwhile.
create or replace function door.assign_given_back() returns trigger
language plpgsql as $$
begin
  perform door.assign_license_keys(new.tenant_id, new.item_id, new.updated_at);
  return null;
end $$;

create or replace trigger assign_given_back after update on public.entitlements
  for each row when (old.revoked_because = 'merchant' and new.status = 'pending' and new.code_from = 'pool')
  execute function door.assign_given_back();

-- What one payment grants is inserted in its publish, and what it takes from the stock is one count for each item: both
-- are bounded when they are promised, for the most that one buyer may take, so that no payment fails or stalls by them.
create or replace function door.bound_promises() returns trigger
language plpgsql as $$
declare
  v_most constant bigint := coalesce((to_jsonb(new)->>'quantity_max')::bigint, 1);
begin
  if (select sum(case when i.kind = 'file' then 1 else d.quantity * v_most end)
    from jsonb_to_recordset(new.delivers) d (item_id uuid, quantity bigint)
    join public.catalog_items i on i.tenant_id = new.tenant_id and i.id = d.item_id) > 1000
  then
    raise exception 'one payment would grant too much'
      using errcode = '23514', constraint = tg_table_name || '_grants_bounded';
  end if;
  if exists (select from jsonb_to_recordset(new.stock->'lines') n (item_id uuid, quantity bigint)
    where n.quantity * v_most > 1000000000)
  then
    raise exception 'one payment would take more than a level holds'
      using errcode = '23514', constraint = tg_table_name || '_stock_bounded';
  end if;
  return new;
end $$;

do $$
declare
  v record;
begin
  for v in select k.table_name, exists (select from pg_attribute where attrelid = ('public.' || k.table_name)::regclass
      and attname = 'quantity_max' and not attisdropped) as has_many
    from door.kinds k where k.takes_stock
  loop
    execute format('create or replace trigger bound_promises before insert on public.%I
      for each row when (new.stock is not null or new.delivers is not null)
      execute function door.bound_promises()', v.table_name);
    -- Not at every update: what was promised before this bound is paid all the same.
    execute format('create or replace trigger bound_promises_anew before update on public.%I
      for each row when (old.stock is distinct from new.stock or old.delivers is distinct from new.delivers%s)
      execute function door.bound_promises()', v.table_name,
      case when v.has_many then ' or old.quantity_max is distinct from new.quantity_max' else '' end);
  end loop;
end $$;
