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

-- Links whose time is over.
create or replace function door.due_payment_links(p_now timestamptz, p_limit int)
returns table (tenant_id text, id uuid) language sql as $$
  select l.tenant_id, l.id from public.payment_links l
  where l.status = 'active' and l.expires_at <= p_now
    and not door.is_put_off('payment_links', l.tenant_id, l.id, p_now)
  order by l.expires_at limit p_limit
$$;
grant select on public.payment_links to spindle_gate;
drop policy if exists gate_lookup on public.payment_links;
create policy gate_lookup on public.payment_links to spindle_gate using (true);
alter function door.due_payment_links(timestamptz, int) owner to spindle_gate;
revoke execute on function door.due_payment_links(timestamptz, int), door.refuse_new_terms() from public;
grant execute on function door.refuse_new_terms() to spindle_door;
