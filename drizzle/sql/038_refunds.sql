-- A card is refunded to the card: its bank does not see money paid back another way, and could claim it again.
create or replace function door.refuse_offline_card() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p
             where p.tenant_id = new.tenant_id and p.id = new.payment_id
               and p.method in (select m.method from door.payment_methods m where m.flow in ('card', 'presented'))) then
    raise exception 'a card payment is refunded to the card'
      using errcode = '23514', constraint = 'refunds_card_not_offline';
  end if;
  return new;
end $$;

create or replace trigger card_not_offline before insert on public.refunds
  for each row when (new.method = 'recorded_offline') execute function door.refuse_offline_card();
create or replace trigger card_not_offline_anew before update on public.refunds
  for each row when (old.method is distinct from new.method and new.method = 'recorded_offline')
  execute function door.refuse_offline_card();

-- What a refund says of the sale is what its payment says.
create or replace function door.refuse_unless_sale_of_payment() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.payments p
      where p.tenant_id = new.tenant_id and p.id = new.payment_id
        and p.client_reference_id is not distinct from new.client_reference_id
        and case when p.origin_type = 'checkout_session' then p.origin_id end is not distinct from new.checkout_session_id
        and case when p.origin_type = 'payment_link' then p.origin_id end is not distinct from new.payment_link_id) then
    raise exception 'the sale is the payment''s' using errcode = '23514', constraint = 'refunds_sale_of_payment';
  end if;
  return new;
end $$;

create or replace trigger sale_of_payment before insert on public.refunds
  for each row when (new.payment_id is not null) execute function door.refuse_unless_sale_of_payment();
create or replace trigger sale_of_payment_anew before update on public.refunds
  for each row when (new.payment_id is not null
    and (old.payment_id, old.client_reference_id, old.checkout_session_id, old.payment_link_id)
      is distinct from (new.payment_id, new.client_reference_id, new.checkout_session_id, new.payment_link_id))
  execute function door.refuse_unless_sale_of_payment();

-- A destination is given once.
create or replace trigger made_with before update on public.refunds
  for each row when ((old.payment_id, old.unapplied_funds_id, old.origin, old.currency)
      is distinct from (new.payment_id, new.unapplied_funds_id, new.origin, new.currency)
    or new.origin = 'api' and old.amount_minor <> new.amount_minor
    or old.destination_clabe is not null and (old.destination_clabe, old.destination_holder)
      is distinct from (new.destination_clabe, new.destination_holder))
  execute function door.refuse_other_terms();
