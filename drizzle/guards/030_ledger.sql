-- A posting moves its account's balance by itself, so that a balance can be nothing but the sum of its postings.
create or replace function door.apply_posting() returns trigger
language plpgsql as $$
begin
  update public.ledger_accounts set balance_minor = balance_minor + new.amount_minor
  where tenant_id = new.tenant_id and currency = new.currency and code = new.account_code;
  if not found then
    insert into public.ledger_accounts (tenant_id, currency, code, balance_minor)
    values (new.tenant_id, new.currency, new.account_code, new.amount_minor)
    on conflict (tenant_id, currency, code)
      do update set balance_minor = ledger_accounts.balance_minor + excluded.balance_minor;
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
