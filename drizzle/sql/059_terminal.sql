-- A reader's action ends with the attempt that it made, by whatever way that ends. Contradicting numbers are looked at by
-- people, and the reader takes the next card meanwhile.
create or replace function door.end_reader_action() returns trigger
language plpgsql as $$
declare
  v_status constant text := case new.status when 'captured' then 'succeeded' when 'authorized' then 'succeeded'
    when 'declined' then 'failed' when 'canceled' then 'canceled' when 'expired' then 'timed_out'
    when 'amount_mismatch' then 'unknown' end;
begin
  update public.reader_actions a
  set status = v_status, failure_code = case when v_status = 'failed' then new.decline_code end,
    ended_at = case when v_status <> 'unknown' then new.updated_at end, announced_at = null,
    version = a.version + 1, updated_at = new.updated_at
  where a.tenant_id = new.tenant_id and a.payment_id = new.payment_id and a.status in ('in_progress', 'unknown')
    and a.status <> v_status;
  return null;
end $$;

create or replace trigger end_reader_action after update on public.payment_attempts
  for each row when (new.method = 'card_present' and old.status <> new.status)
  execute function door.end_reader_action();
