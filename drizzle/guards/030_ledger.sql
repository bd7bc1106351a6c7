-- A posting moves its account's balance by itself, so that a balance can be nothing but the sum of its postings. What
-- becomes available or stops being so is also noted as balance activity, which payouts are made of; a payout's own
-- journal is not, it is what carries the noted away. Money that the merchant sends away must be there.
create or replace function door.apply_posting() returns trigger
language plpgsql as $$
declare
  v_balance bigint;
  v_journal public.ledger_journals;
begin
  update public.ledger_accounts set balance_minor = balance_minor + new.amount_minor
  where tenant_id = new.tenant_id and currency = new.currency and code = new.account_code
  returning balance_minor into v_balance;
  if not found then
    insert into public.ledger_accounts (tenant_id, currency, code, balance_minor)
    values (new.tenant_id, new.currency, new.account_code, new.amount_minor)
    on conflict (tenant_id, currency, code)
      do update set balance_minor = ledger_accounts.balance_minor + excluded.balance_minor
    returning balance_minor into v_balance;
  end if;
  if new.account_code = 'merchant_available' then
    select * into v_journal from public.ledger_journals where tenant_id = new.tenant_id and id = new.journal_id;
    if new.amount_minor < 0 and v_balance < 0 and v_journal.source_type in ('transfer', 'payout') then
      raise exception 'the available balance does not cover this'
        using errcode = '23514', constraint = 'ledger_available_covered';
    end if;
    if v_journal.source_type <> 'payout' or v_journal.entry_kind <> 'payout' then
      insert into public.balance_activity
        (tenant_id, id, currency, source_type, source_id, entry_kind, amount_minor, created_at)
      values (new.tenant_id, new.journal_id, new.currency, v_journal.source_type, v_journal.source_id,
        v_journal.entry_kind, new.amount_minor, v_journal.created_at);
    end if;
  end if;
  return new;
end $$;

create or replace trigger apply_posting before insert on public.ledger_postings
  for each row execute function door.apply_posting();

-- Deferred to the commit: every journal sums to zero, in one currency.
create or replace function door.check_journal() returns trigger
language plpgsql as $$
begin
  if (select sum(amount_minor) <> 0 or min(currency) <> max(currency) from public.ledger_postings
      where tenant_id = new.tenant_id and journal_id = new.journal_id) then
    raise exception 'journal % does not sum to zero', new.journal_id using errcode = 'SP450';
  end if;
  return null;
end $$;

do $$
begin
  if not exists (select from pg_trigger where tgname = 'journal_sums_to_zero' and tgrelid = 'public.ledger_postings'::regclass) then
    create constraint trigger journal_sums_to_zero after insert on public.ledger_postings
      deferrable initially deferred for each row execute function door.check_journal();
  end if;
end $$;

-- A payout entry takes its activity, which no other payout has taken.
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
  for each row execute function door.take_activity();

-- Deferred to the commit: the nets of a payout's entries sum to its amount.
create or replace function door.check_payout() returns trigger
language plpgsql as $$
begin
  if (select coalesce(sum(net_minor), 0) from public.payout_entries
      where tenant_id = new.tenant_id and payout_id = new.id) <> new.amount_minor then
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
end $$;
