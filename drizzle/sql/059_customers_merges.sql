-- A merge moves the rows that belong to the merged customer to its survivor, and back when it is undone. It locks both
-- customers first, in one order. Contacts that both have stay where they are: the survivor's takes over what it lacks.
create or replace function door.move_merged() returns trigger
language plpgsql as $$
declare
  v_known uuid[];
  v_twins uuid[];
  v_verified uuid[];
  v_verified_at timestamptz[];
  v_moved jsonb;
begin
  perform from public.customers c where c.tenant_id = new.tenant_id and c.id in (new.customer_id, new.survivor_id)
  order by c.id for update;
  select coalesce(array_agg(c.id), '{}'), coalesce(array_agg(t.id), '{}'),
    coalesce(array_agg(c.id) filter (where c.verified_at is not null and t.verified_at is null), '{}'),
    array_agg(c.verified_at) filter (where c.verified_at is not null and t.verified_at is null)
  into v_known, v_twins, v_verified, v_verified_at
  from public.customer_contacts c
  join public.customer_contacts t on t.tenant_id = c.tenant_id and t.customer_id = new.survivor_id
    and t.kind = c.kind and t.value = c.value and t.status = 'active'
  where c.tenant_id = new.tenant_id and c.customer_id = new.customer_id and c.status = 'active';

  -- Who withdrew a consent after the other gave it has withdrawn it for both.
  update public.customer_consents x set status = 'withdrawn', withdrawn_at = w.withdrawn_at,
    version = x.version + 1, updated_at = new.updated_at
  from (
    select own.id as contact_id, g.channel, g.purpose, max(g.withdrawn_at) as withdrawn_at
    from public.customer_contacts own
    join public.customer_contacts t on t.tenant_id = own.tenant_id and t.customer_id in (new.customer_id, new.survivor_id)
      and t.customer_id <> own.customer_id and t.kind = own.kind and t.value = own.value
    join public.customer_consents g on g.tenant_id = t.tenant_id and g.customer_id = t.customer_id and g.contact_id = t.id
      and g.status = 'withdrawn'
    where own.tenant_id = new.tenant_id and own.customer_id in (new.customer_id, new.survivor_id)
    group by own.id, g.channel, g.purpose) w
  where x.tenant_id = new.tenant_id and x.customer_id in (new.customer_id, new.survivor_id) and x.contact_id = w.contact_id
    and x.channel = w.channel and x.purpose = w.purpose and x.status = 'given' and x.given_at <= w.withdrawn_at;

  -- A consent that the survivor has given for the same contact stays behind.
  with moving as (
    select x.id, x.contact_id, coalesce(k.twin, x.contact_id) as to_contact
    from public.customer_consents x left join unnest(v_known, v_twins) k (id, twin) on k.id = x.contact_id
    where x.tenant_id = new.tenant_id and x.customer_id = new.customer_id and not (x.status = 'given' and exists (
      select from public.customer_consents g where g.tenant_id = x.tenant_id and g.contact_id = k.twin
        and g.channel = x.channel and g.purpose = x.purpose and g.status = 'given'))),
  moved as (
    update public.customer_consents x set customer_id = new.survivor_id, contact_id = m.to_contact,
      version = x.version + 1, updated_at = new.updated_at
    from moving m where x.tenant_id = new.tenant_id and x.id = m.id returning x.id, m.contact_id)
  select jsonb_build_object('consents', coalesce(jsonb_agg(moved), '[]')) into v_moved from moved;

  update public.customer_contacts c set verified_at = null, version = c.version + 1, updated_at = new.updated_at
  where c.tenant_id = new.tenant_id and c.id = any (v_verified);
  update public.customer_contacts t set verified_at = v.at, version = t.version + 1, updated_at = new.updated_at
  from unnest(v_verified, v_verified_at) v (id, at) join unnest(v_known, v_twins) k (id, twin) on k.id = v.id
  where t.tenant_id = new.tenant_id and t.id = k.twin;

  with moved as (
    update public.customer_contacts c set customer_id = new.survivor_id, version = c.version + 1, updated_at = new.updated_at
    where c.tenant_id = new.tenant_id and c.customer_id = new.customer_id and c.id <> all (v_known) returning c.id)
  select v_moved || jsonb_build_object('contacts', coalesce(jsonb_agg(id), '[]')) into v_moved from moved;
  with moved as (
    update public.customer_notes n set customer_id = new.survivor_id, version = n.version + 1, updated_at = new.updated_at
    where n.tenant_id = new.tenant_id and n.customer_id = new.customer_id returning n.id)
  select v_moved || jsonb_build_object('notes', coalesce(jsonb_agg(id), '[]')) into v_moved from moved;
  new.moved := v_moved || jsonb_build_object('verified', to_jsonb(v_verified));
  return new;
end $$;
create or replace trigger move_merged before insert on public.customer_merges
  for each row execute function door.move_merged();

-- What was moved goes back as it is now, with the consents that were given since for a contact that goes back. What was
-- withdrawn of the survivor is withdrawn of both: the person does not withdraw twice. What later merges handed over to a
-- contact that goes back stays: the same contact of the first of them comes to the survivor in its place.
create or replace function door.move_back() returns trigger
language plpgsql as $$
declare
  v_contacts constant uuid[] := array(select jsonb_array_elements_text(old.moved->'contacts')::uuid);
  v_notes constant uuid[] := array(select jsonb_array_elements_text(old.moved->'notes')::uuid);
  v_verified constant uuid[] := array(select jsonb_array_elements_text(old.moved->'verified')::uuid);
  v_since constant timestamptz := old.created_at;
  v record;
begin
  perform from public.customers c where c.tenant_id = old.tenant_id and c.id in (old.customer_id, old.survivor_id)
  order by c.id for update;
  update public.customer_consents x set customer_id = old.customer_id, contact_id = coalesce(m.contact_id, x.contact_id),
    version = x.version + 1, updated_at = new.updated_at
  from public.customer_consents s
  left join jsonb_to_recordset(old.moved->'consents') m (id uuid, contact_id uuid) on m.id = s.id
  where s.tenant_id = old.tenant_id and s.customer_id = old.survivor_id and (m.id is not null or s.contact_id = any (v_contacts))
    and x.tenant_id = s.tenant_id and x.id = s.id;
  update public.customer_contacts c set customer_id = old.customer_id, version = c.version + 1, updated_at = new.updated_at
  where c.tenant_id = old.tenant_id and c.customer_id = old.survivor_id and c.id = any (v_contacts);
  update public.customer_notes n set customer_id = old.customer_id, version = n.version + 1, updated_at = new.updated_at
  where n.tenant_id = old.tenant_id and n.customer_id = old.survivor_id and n.id = any (v_notes);

  for v in select c.id, t.id as twin, t.verified_at from public.customer_contacts c
      join public.customer_contacts t on t.tenant_id = c.tenant_id and t.customer_id = old.survivor_id and t.kind = c.kind
        and t.value = c.value and t.status = 'active' and t.verified_at is not null
      where c.tenant_id = old.tenant_id and c.id = any (v_verified) and not exists (select from public.customer_merges m
        where m.tenant_id = old.tenant_id and m.survivor_id = old.survivor_id and m.status = 'merged'
          and m.created_at > old.created_at and m.moved->'contacts' ? t.id::text) loop
    update public.customer_contacts t set verified_at = null, version = t.version + 1, updated_at = new.updated_at
    where t.tenant_id = old.tenant_id and t.id = v.twin;
    update public.customer_contacts c set verified_at = v.verified_at, version = c.version + 1, updated_at = new.updated_at
    where c.tenant_id = old.tenant_id and c.id = v.id;
  end loop;

  update public.customer_consents x set status = 'withdrawn', withdrawn_at = greatest(w.withdrawn_at, x.given_at),
    version = x.version + 1, updated_at = new.updated_at
  from (
    select own.id as contact_id, g.channel, g.purpose, max(g.withdrawn_at) as withdrawn_at
    from public.customer_contacts own
    join public.customer_contacts t on t.tenant_id = own.tenant_id and t.customer_id = old.survivor_id
      and t.kind = own.kind and t.value = own.value
    join public.customer_consents g on g.tenant_id = t.tenant_id and g.contact_id = t.id and g.withdrawn_at >= v_since
    where own.tenant_id = old.tenant_id and own.customer_id = old.customer_id
    group by own.id, g.channel, g.purpose) w
  where x.tenant_id = old.tenant_id and x.contact_id = w.contact_id and x.channel = w.channel and x.purpose = w.purpose
    and x.status = 'given';

  for v in select t.id, t.verified_at, h.* from public.customer_contacts t cross join lateral (
      select (array_agg(own.id order by m.created_at, m.id))[1] as heir, (array_agg(m.id order by m.created_at, m.id))[1] as merge_id,
        array_agg(m.customer_id) as customers, array_agg(own.id) as twins, array_agg(x.id) as consents,
        bool_or(m.moved->'verified' ? own.id::text) as is_verified
      from public.customer_merges m
      join public.customer_contacts own on own.tenant_id = m.tenant_id and own.customer_id = m.customer_id
        and own.kind = t.kind and own.value = t.value and own.status = 'active'
      left join jsonb_to_recordset(m.moved->'consents') x (id uuid, contact_id uuid) on x.contact_id = own.id
      where m.tenant_id = old.tenant_id and m.survivor_id = old.survivor_id and m.status = 'merged'
        and (m.created_at, m.id) > (old.created_at, old.id)) h
      where t.tenant_id = old.tenant_id and t.customer_id = old.customer_id and t.id = any (v_contacts) and t.status = 'active'
        and h.heir is not null loop
    update public.customer_consents x set status = 'withdrawn', withdrawn_at = g.withdrawn_at, version = x.version + 1,
      updated_at = new.updated_at
    from public.customer_consents g
    where x.tenant_id = old.tenant_id and x.customer_id = any (v.customers) and x.contact_id = any (v.twins)
      and x.status = 'given' and g.tenant_id = x.tenant_id and g.customer_id = old.customer_id and g.contact_id = v.id
      and g.channel = x.channel and g.purpose = x.purpose and g.withdrawn_at >= x.given_at;
    update public.customer_consents x set customer_id = old.survivor_id, contact_id = v.heir, version = x.version + 1,
      updated_at = new.updated_at
    where x.tenant_id = old.tenant_id and x.customer_id = any (old.customer_id || v.customers)
      and (x.id = any (v.consents) and x.contact_id = v.id or x.contact_id = v.heir);
    update public.customer_contacts t set verified_at = null, version = t.version + 1, updated_at = new.updated_at
    where t.tenant_id = old.tenant_id and t.id = v.id and v.is_verified;
    update public.customer_contacts h set customer_id = old.survivor_id, version = h.version + 1, updated_at = new.updated_at,
      verified_at = case when v.is_verified then v.verified_at else h.verified_at end
    where h.tenant_id = old.tenant_id and h.id = v.heir;
    update public.customer_merges m set version = m.version + 1, updated_at = new.updated_at, moved = m.moved
      || jsonb_build_object('contacts', m.moved->'contacts' || to_jsonb(v.heir), 'verified', (m.moved->'verified') - v.heir::text)
    where m.tenant_id = old.tenant_id and m.id = v.merge_id;
  end loop;
  return new;
end $$;
create or replace trigger move_back before update on public.customer_merges
  for each row when (old.status = 'merged' and new.status = 'undone') execute function door.move_back();

-- No cycle and no dead end: a customer becomes part of one that is itself current, and stays so until the commit.
create or replace function door.check_survivor() returns trigger
language plpgsql as $$
begin
  perform from public.customers c
  where c.tenant_id = new.tenant_id and c.id = new.merged_into and c.status in ('active', 'blocked') for share;
  if not found then
    raise exception 'a customer becomes part of a current one' using errcode = '23514', constraint = 'customers_survivor_current';
  end if;
  return null;
end $$;
create or replace trigger check_survivor after insert on public.customers
  for each row when (new.merged_into is not null) execute function door.check_survivor();
create or replace trigger check_survivor_anew after update on public.customers
  for each row when (new.merged_into is not null and old.merged_into is distinct from new.merged_into)
  execute function door.check_survivor();
