-- Money that leaves waits while its workspace is suspended, as payouts do.
create or replace trigger held_while_suspended before insert on public.transfers
  for each row when (new.status in ('pending_approval', 'pending')) execute function door.refuse_while('suspended');
create or replace trigger held_while_suspended_anew before update on public.transfers
  for each row when (old.status <> new.status and new.status in ('pending_approval', 'pending'))
  execute function door.refuse_while('suspended');
