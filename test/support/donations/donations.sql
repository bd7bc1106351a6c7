-- A second origin, in the tests' databases alone: its table, guarded as every tenant's table is, and its three triggers.
create table public.donations (
  tenant_id text not null references public.tenants (tenant_id),
  id uuid not null,
  public_id text not null unique check (public_id ~ '^sdon_[a-z0-9]{32}$'),
  status text not null check (status in ('open', 'ended')),
  title text not null,
  amount_minor_min bigint not null,
  amount_minor_max bigint not null,
  raised_minor bigint not null default 0 check (raised_minor >= 0),
  client_reference_id text,
  metadata jsonb not null default '{}',
  terms_version int not null default 1,
  policy_version int not null default 1,
  location_id uuid,
  version int not null default 1,
  primary key (tenant_id, id)
);
alter table public.donations enable row level security;
alter table public.donations force row level security;
create policy tenant_pin on public.donations for select to spindle_worker
  using (door.is_sealed() and tenant_id = (select door.sealed_tenant()));
create policy door_pin on public.donations to spindle_door
  using (tenant_id = (select door.pinned_tenant())) with check (tenant_id = (select door.pinned_tenant()));
grant select on public.donations to spindle_worker;
grant select, insert, update on public.donations to spindle_door;

create trigger keep_public_id after insert on public.donations
  for each row execute function door.keep_public_id('donation');
create trigger inherit_from_donation before insert on public.payments
  for each row when (new.origin_kind = 'donation') execute function door.inherit_from_origin('donations');

do $$
begin
  execute 'create or replace view door.counters (table_name, columns) as '
    || rtrim(pg_get_viewdef('door.counters'::regclass), '; ') || $v$ union all values ('donations', array['raised_minor'])$v$;
end $$;
