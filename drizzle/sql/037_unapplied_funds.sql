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
