-- A card is refunded to the card: its bank does not see money paid back another way, and could claim it again.
create or replace function door.refuse_offline_card() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p
             where p.tenant_id = new.tenant_id and p.id = new.payment_id
               and p.method in (select m.method from door.payment_methods m where m.flow = 'card')) then
    raise exception 'a card payment is refunded to the card'
      using errcode = '23514', constraint = 'refunds_card_not_offline';
  end if;
  return new;
end $$;

create or replace trigger card_not_offline before insert or update of method on public.refunds
  for each row when (new.method = 'recorded_offline') execute function door.refuse_offline_card();
