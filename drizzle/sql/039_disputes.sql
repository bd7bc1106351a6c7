-- A dispute costs its fee once: a second one only after the first was given back, and none is given back twice. The
-- dispute's row, which every move locks, orders concurrent moves.
create or replace function door.dispute_fee_once() returns trigger
language plpgsql as $$
begin
  if (select count(*) filter (where j.entry_kind = 'fee') - count(*) filter (where j.entry_kind = 'fee_returned')
      from public.ledger_journals j where j.tenant_id = new.tenant_id and j.source_type = 'dispute'
        and j.source_id = new.source_id) not in (0, 1) then
    raise exception 'the fee of dispute % is booked already', new.source_id
      using errcode = '23514', constraint = 'dispute_fee_once';
  end if;
  return null;
end $$;

create or replace trigger dispute_fee_once after insert on public.ledger_journals
  for each row when (new.source_type = 'dispute' and new.entry_kind in ('fee', 'fee_returned'))
  execute function door.dispute_fee_once();
