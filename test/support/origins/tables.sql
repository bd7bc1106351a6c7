-- What exists only in the tests: the tables and holds of two more origins. The rest of a database's SQL runs after this.
create table public.donations (
  tenant_id uuid not null references public.tenants (tenant_id),
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
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- A bill that the guests of a table pay in parts. Lines are added while others pay.
create table public.table_bills (
  tenant_id uuid not null references public.tenants (tenant_id),
  id uuid not null,
  public_id text not null unique check (public_id ~ '^sdinner_[a-z0-9]{32}$'),
  status text not null check (status in ('open', 'closed')),
  title text not null,
  client_reference_id text,
  metadata jsonb not null default '{}',
  terms_version int not null default 1,
  policy_version int not null default 1,
  location_id uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- Beside the bill and not in it: payers lock that one FOR SHARE.
create table public.table_bill_sums (
  tenant_id uuid not null,
  id uuid not null,
  total_minor bigint not null,
  held_minor bigint not null default 0 check (held_minor >= 0),
  paid_minor bigint not null default 0 check (paid_minor >= 0),
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references public.table_bills (tenant_id, id),
  constraint table_bills_bounded check (held_minor + paid_minor <= total_minor)
);

create table public.table_bill_lines (
  tenant_id uuid not null,
  id uuid not null,
  bill_id uuid not null,
  name text not null,
  amount_minor bigint not null check (amount_minor > 0),
  paid_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, bill_id) references public.table_bills (tenant_id, id)
);

create or replace function door.hold_table_bill(a public.payment_attempts, p public.payments)
returns table (resource_id uuid, quantity bigint, free bigint)
language plpgsql strict rows 1 as $$
declare
  v_lines constant uuid[] := array(select (n->>'id')::uuid from jsonb_array_elements(p."order"->'lines') n);
begin
  update public.table_bill_lines l set paid_by = p.id
  where l.tenant_id = p.tenant_id and l.bill_id = p.origin_id and l.id = any (v_lines) and l.paid_by is null;
  if cardinality(v_lines) <> (select count(*) from public.table_bill_lines l
    where l.tenant_id = p.tenant_id and l.bill_id = p.origin_id and l.id = any (v_lines) and l.paid_by = p.id)
  then
    raise exception 'another guest pays a line of it' using errcode = '23514', constraint = 'table_bill_lines_claimed';
  end if;
  -- Returns nothing: one guest may pay all of it by transfer, so that no share bounds what is unpaid.
  update public.table_bill_sums s
  set held_minor = s.held_minor + a.amount_minor - p.markup_minor - p.tip_amount_minor
  where s.tenant_id = p.tenant_id and s.id = p.origin_id;
end $$;

create or replace function door.end_table_bill(a public.payment_attempts, p public.payments, p_was text, p_is text) returns void
language plpgsql as $$
declare
  v_minor constant bigint := a.amount_minor - p.markup_minor - p.tip_amount_minor;
begin
  update public.table_bill_sums s
  set held_minor = s.held_minor + v_minor * ((p_is in ('held', 'authorized'))::int - (p_was in ('held', 'authorized'))::int),
    paid_minor = s.paid_minor + v_minor * ((p_is = 'taken')::int - (p_was = 'taken')::int)
  where s.tenant_id = p.tenant_id and s.id = p.origin_id;
  update public.table_bill_lines l set paid_by = null
  where l.tenant_id = p.tenant_id and l.bill_id = p.origin_id and l.paid_by = p.id and p_is = 'free';
end $$;
