-- Unapplied funds are settled when nothing is left of them, and open again when money is put back: the status follows
-- every change of the counter.
create or replace function door.settle_unapplied_funds() returns trigger
language plpgsql as $$
begin
  new.status := case when new.remaining_minor = 0 then 'settled' else 'open' end;
  return new;
end $$;

create or replace trigger settle_unapplied_funds before insert or update on public.unapplied_funds
  for each row execute function door.settle_unapplied_funds();

create or replace trigger made_with before update on public.unapplied_funds
  for each row when ((old.amount_minor, old.currency) is distinct from (new.amount_minor, new.currency))
  execute function door.refuse_other_terms();

-- Deferred to the commit: a movement of a buyer's balance is booked by one journal.
create or replace function door.check_buyer_balance_movement() returns trigger
language plpgsql as $$
begin
  if (select count(*) <> 1 from public.ledger_journals j where j.tenant_id = new.tenant_id
      and j.source_type = 'buyer_balance_movement' and j.source_id = new.id) then
    raise exception 'movement % has not one journal', new.id using errcode = 'SP450';
  end if;
  return null;
end $$;

do $$
begin
  if not exists (select from pg_trigger where tgname = 'one_journal' and tgrelid = 'public.buyer_balance_movements'::regclass) then
    create constraint trigger one_journal after insert on public.buyer_balance_movements
      deferrable initially deferred for each row execute function door.check_buyer_balance_movement();
  end if;
end $$;
