-- A payout goes only to the account that is set at its insert, verified and after its cool-down, whatever the plan has
-- read. The locks make it wait for a change of the settings or of the account, or that change for it.
create or replace function door.payout_account() returns trigger
language plpgsql as $$
begin
  perform from public.payout_settings s
  join public.bank_accounts b on b.tenant_id = s.tenant_id and b.id = s.bank_account_id
  where s.tenant_id = new.tenant_id and s.currency = new.currency
    and (b.status, b.clabe, b.holder) = ('verified', new.destination_clabe, new.destination_holder)
    and (b.cool_down_ends_at is null or b.cool_down_ends_at <= new.created_at)
  for share;
  if not found then
    raise exception 'the account is not verified, cools down, or is another one' using errcode = '23514', constraint = 'payouts_account_cooled';
  end if;
  return new;
end $$;
create or replace trigger payout_account before insert on public.payouts
  for each row when (new.account_id is null) execute function door.payout_account();

-- So the account that was checked is the one that is paid, and at most what was taken for it.
create or replace trigger made_with before update on public.payouts
  for each row when ((old.currency, old.account_id, old.destination_clabe, old.destination_holder, old.created_at)
      is distinct from (new.currency, new.account_id, new.destination_clabe, new.destination_holder, new.created_at)
    or new.account_id is null and (old.amount_minor, old.gross_minor, old.fee_minor, old.entries_count)
      is distinct from (new.amount_minor, new.gross_minor, new.fee_minor, new.entries_count))
  execute function door.refuse_other_terms();

-- Deferred to the commit: what a payout of ours pays was taken from the balance.
create or replace function door.check_payout_journal() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.ledger_journals j join public.ledger_postings p
      on p.tenant_id = j.tenant_id and p.journal_id = j.id
    where j.tenant_id = new.tenant_id and j.source_type = 'payout' and j.source_id = new.id and j.entry_kind = 'payout'
      and p.account_code = 'merchant_available' and p.currency = new.currency and p.amount_minor = -new.amount_minor)
  then
    raise exception 'payout % has no journal of its amount', new.id using errcode = 'SP450';
  end if;
  return null;
end $$;

do $$
begin
  if not exists (select from pg_trigger where tgname = 'taken_from_balance' and tgrelid = 'public.payouts'::regclass) then
    create constraint trigger taken_from_balance after insert on public.payouts
      deferrable initially deferred for each row when (new.account_id is null) execute function door.check_payout_journal();
  end if;
end $$;

create or replace trigger held_while_suspended before insert on public.payouts
  for each row when (new.account_id is null) execute function door.refuse_while('suspended');

-- The next payout day moves on only once all funds due by it are released. The check does not apply when a person
-- changes interval, anchor day or account.
create or replace function door.payout_day() returns trigger
language plpgsql as $$
begin
  if door.awaits_release(new.tenant_id, new.currency, old.next_payout_on) then
    raise exception 'funds that are due by this day are not released yet'
      using errcode = '23514', constraint = 'payout_settings_funds_released';
  end if;
  return new;
end $$;

create or replace function door.awaits_release(p_tenant uuid, p_currency text, p_day date) returns boolean
language sql stable
return exists (select from public.payments p where p.tenant_id = p_tenant and p.currency = p_currency
    and p.funds_status = 'pending' and p.available_on <= p_day)
  or exists (select from public.payments p where p.tenant_id = p_tenant and p.currency = p_currency
    and p.reserve_release_on <= p_day);

create or replace trigger payout_day before update on public.payout_settings
  for each row when (coalesce(new.next_payout_on > old.next_payout_on, old.next_payout_on is not null)
    and (new.interval, new.anchor_day, new.bank_account_id)
      is not distinct from (old.interval, old.anchor_day, old.bank_account_id))
  execute function door.payout_day();
