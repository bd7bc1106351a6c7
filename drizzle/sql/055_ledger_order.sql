-- A journal, and what else a report shows by when it is booked, has the number of its transaction and the clock after
-- that number was taken. So whatever is booked before a moment has a lower number than a transaction that begins after
-- it: once `events_horizon` has reached that transaction's number, what was booked before the moment is complete and
-- never changes. The end of a snapshot is no such number: it may lie below transactions that are open.
create or replace function door.order_journal() returns trigger
language plpgsql as $$
begin
  new.commit_order := door.commit_order(pg_current_xact_id());
  new.booked_at := clock_timestamp();
  return new;
end $$;
create or replace trigger order_journal before insert on public.ledger_journals
  for each row execute function door.order_journal();
