-- A payout goes to the account that is set now, and not before its cool-down is over, whatever was read beforehand.
create or replace function door.payout_account() returns trigger
language plpgsql as $$
begin
  perform from public.payout_settings s
  where s.tenant_id = new.tenant_id and s.currency = new.currency and s.clabe = new.destination_clabe
    and (s.cool_down_ends_at is null or s.cool_down_ends_at <= new.created_at)
  for share;
  if not found then
    raise exception 'the account cools down, or is another by now' using errcode = '23514', constraint = 'payouts_account_cooled';
  end if;
  return new;
end $$;
create or replace trigger payout_account before insert on public.payouts
  for each row execute function door.payout_account();
revoke execute on function door.payout_account() from public;
grant execute on function door.payout_account() to spindle_door;
