-- What one statement posts leaves each of its journals at zero, in the journal's currency. A trigger adds postings to their accounts'
-- balances, so that a balance is always the sum of its postings: once per statement and account, in the order of the
-- accounts. Every posting to merchant_available is also recorded as balance activity, which payouts consist of; a payout's
-- own journal is not, since it pays that activity out. Transfers and payouts must be covered by the available balance,
-- what is paid to a waiter by what they are owed.
create or replace function door.apply_postings() returns trigger
language plpgsql as $$
declare
  v_journal uuid;
  v_sum record;
  v_balance bigint;
begin
  select l.journal_id into v_journal from public.ledger_postings l
  left join public.ledger_journals j on j.tenant_id = l.tenant_id and j.id = l.journal_id and j.currency = l.currency
  where (l.tenant_id, l.journal_id) in (select p.tenant_id, p.journal_id from posted p)
  group by l.tenant_id, l.journal_id having sum(l.amount_minor) <> 0 or not bool_and(j.id is not null) limit 1;
  if found then
    raise exception 'journal % is missing, of another currency, or not at zero', v_journal using errcode = 'SP450';
  end if;
  for v_sum in
    select p.tenant_id, p.currency, p.account_code, sum(p.amount_minor)::bigint as amount_minor from posted p
    group by p.tenant_id, p.currency, p.account_code order by p.account_code, p.currency
  loop
    loop
      update public.ledger_accounts set balance_minor = balance_minor + v_sum.amount_minor
      where tenant_id = v_sum.tenant_id and currency = v_sum.currency and code = v_sum.account_code
      returning balance_minor into v_balance;
      exit when found;
      -- The first posting opens its account.
      insert into public.ledger_accounts (tenant_id, currency, code, balance_minor)
      values (v_sum.tenant_id, v_sum.currency, v_sum.account_code, 0) on conflict do nothing;
    end loop;
    -- Apart, so that other accounts run no query for it.
    if v_sum.account_code = 'merchant_available' and v_balance < 0 then
      if exists (
        select from posted p join public.ledger_journals j on j.tenant_id = p.tenant_id and j.id = p.journal_id
        where p.currency = v_sum.currency and p.account_code = v_sum.account_code and p.amount_minor < 0
          and j.source_type in ('transfer', 'payout'))
      then
        raise exception 'the available balance does not cover this'
          using errcode = '23514', constraint = 'ledger_available_covered';
      end if;
    end if;
    if v_balance < 0 and v_sum.account_code like 'waiter:%' then
      if exists (
        select from posted p join public.ledger_journals j on j.tenant_id = p.tenant_id and j.id = p.journal_id
        where p.account_code = v_sum.account_code and p.amount_minor < 0 and (j.source_type, j.entry_kind) = ('tip_payout', 'tip_payout'))
      then
        raise exception 'the waiter is owed less' using errcode = '23514', constraint = 'tip_payouts_covered';
      end if;
    end if;
  end loop;
  insert into public.balance_activity
    (tenant_id, id, currency, source_type, source_id, entry_kind, amount_minor, created_at, commit_order, booked_at)
  select p.tenant_id, p.journal_id, p.currency, j.source_type, j.source_id, j.entry_kind, p.amount_minor, j.created_at,
    j.commit_order, j.booked_at
  from posted p join public.ledger_journals j on j.tenant_id = p.tenant_id and j.id = p.journal_id
  where p.account_code = 'merchant_available' and (j.source_type, j.entry_kind) <> ('payout', 'payout');
  return null;
end $$;

-- No posting refers to its account by a foreign key: what has postings stays, under its name.
create or replace trigger account_stays before delete on public.ledger_accounts
  for each row execute function door.refuse_rewrite();
create or replace trigger account_keeps_its_name before update of tenant_id, currency, code on public.ledger_accounts
  for each row execute function door.refuse_rewrite();

create or replace trigger apply_postings after insert on public.ledger_postings
  referencing new table as posted for each statement execute function door.apply_postings();

-- A payout entry takes its activity; no other payout may have taken it.
create or replace function door.take_activity() returns trigger
language plpgsql as $$
begin
  update public.balance_activity set payout_id = new.payout_id
  where tenant_id = new.tenant_id and id = new.activity_id and payout_id is null
    and amount_minor = new.net_minor and currency = new.currency;
  if not found then
    raise exception 'this activity is not open' using errcode = '23514', constraint = 'payout_entries_activity_open';
  end if;
  return new;
end $$;

create or replace trigger take_activity before insert on public.payout_entries
  for each row when (new.activity_id is not null) execute function door.take_activity();

-- Deferred to the commit: a payout's entries sum to what it says of them. A processor's is said to be `complete`, and its
-- amount the sum, once all of them are read.
create or replace function door.check_payout() returns trigger
language plpgsql as $$
begin
  if (select (coalesce(sum(gross_minor), 0), coalesce(sum(net_minor), 0), count(*)) from public.payout_entries
      where tenant_id = new.tenant_id and payout_id = new.id)
    <> (new.gross_minor::numeric, (new.gross_minor - new.fee_minor)::numeric, new.entries_count::bigint) then
    raise exception 'the entries of payout % do not sum to it', new.id using errcode = 'SP450';
  end if;
  return null;
end $$;

do $$
begin
  if not exists (select from pg_trigger where tgname = 'entries_sum_to_payout' and tgrelid = 'public.payouts'::regclass) then
    create constraint trigger entries_sum_to_payout after insert on public.payouts
      deferrable initially deferred for each row execute function door.check_payout();
  end if;
  if not exists (select from pg_trigger where tgname = 'entries_read_sum_to_payout' and tgrelid = 'public.payouts'::regclass) then
    create constraint trigger entries_read_sum_to_payout after update on public.payouts
      deferrable initially deferred for each row when (new.account_id is not null
        and (old.amount_minor, old.gross_minor, old.fee_minor, old.entries_count)
          is distinct from (new.amount_minor, new.gross_minor, new.fee_minor, new.entries_count))
      execute function door.check_payout();
  end if;
end $$;
