-- Payment links as an origin: found by their public ids, inherited from by their payments, listed by their metadata.
create or replace trigger keep_public_id after insert on public.payment_links
  for each row execute function door.keep_public_id('payment_link');
create or replace trigger keep_public_id_anew after update on public.payment_links
  for each row when (old.public_id <> new.public_id) execute function door.keep_public_id('payment_link');
create or replace trigger inherit_from_link before insert on public.payments
  for each row when (new.origin_kind = 'payment_link') execute function door.inherit_from_origin('payment_links');
create or replace trigger index_metadata after insert on public.payment_links
  for each row when (new.metadata <> '{}') execute function door.index_metadata('payment_link');
create or replace trigger index_metadata_anew after update on public.payment_links
  for each row when (old.metadata <> new.metadata) execute function door.index_metadata('payment_link');

-- From the first payment on, a link's amount, methods and instalments stay what the buyer saw.
create or replace function door.refuse_new_terms() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p where p.tenant_id = new.tenant_id and p.origin_id = new.id) then
    raise exception 'a payment has been tried on these terms'
      using errcode = '23514', constraint = 'payment_links_terms_frozen';
  end if;
  return new;
end $$;

create or replace trigger terms_frozen before update on public.payment_links
  for each row when (old.terms_version <> new.terms_version) execute function door.refuse_new_terms();
