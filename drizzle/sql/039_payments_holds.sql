-- What an attempt to pay holds of what is scarce, from its insert to its end. A kind declares its holds in its area.ts;
-- each hold is two functions, and a CHECK or an index of its resource refuses more than there is. The trigger functions
-- are written from the declarations (016_areas.sql); all of them call in one order, so that no two attempts deadlock.
--   door.hold_<name>(attempt, payment): takes, and returns each resource with how many it took and how many are left, where
--   a share of them bounds what is held unpaid. It is strict: what is sold as another kind never gets here.
--   door.end_<name>(attempt, payment, was, is): the attempt moved from one state of its hold to another.

-- An attempt holds until it ends: `free` without money, `taken` with it. An authorization is neither yet. A contradiction
-- found after the end holds nothing.
create or replace function door.hold_state(p_status text, p_resolved_at timestamptz) returns text
language sql immutable
return case when p_status = 'captured' then 'taken' when p_status = 'authorized' then 'authorized'
  when p_resolved_at is not null then 'free' else 'held' end;

create or replace trigger hold after insert on public.payment_attempts
  for each row execute function door.hold_for_attempt();
create or replace trigger end_holds after update on public.payment_attempts
  for each row when (old.status <> new.status) execute function door.end_for_attempt();
