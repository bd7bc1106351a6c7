-- Money that leaves waits while its workspace is suspended, as payouts do.
create or replace trigger held_while_suspended before insert on public.transfers
  for each row when (new.status in ('pending_approval', 'pending')) execute function door.refuse_while('suspended');
create or replace trigger held_while_suspended_anew before update on public.transfers
  for each row when (old.status <> new.status and new.status in ('pending_approval', 'pending'))
  execute function door.refuse_while('suspended');
create or replace trigger made_with before update on public.transfers
  for each row when ((old.amount_minor, old.currency, old.destination_type, old.destination_clabe, old.destination_holder,
      old.destination_tenant_id, old.api_key_id)
    is distinct from (new.amount_minor, new.currency, new.destination_type, new.destination_clabe, new.destination_holder,
      new.destination_tenant_id, new.api_key_id))
  execute function door.refuse_other_terms();
