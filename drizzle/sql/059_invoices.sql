-- Only what was captured is invoiced; captured amounts never go back to nothing. A payment that is not there, or another
-- workspace's, is refused by its foreign key. A CFDI is individual or global, whichever of its payments is asked; records of one
-- folio wait for one another here.
create or replace function door.record_payment_invoice() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p
      where p.tenant_id = new.tenant_id and p.id = new.payment_id and p.amount_captured_minor = 0) then
    raise exception 'the payment is not captured' using errcode = '23514', constraint = 'payment_invoices_captured';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'payment_invoices', new.tenant_id, new.folio), 0));
  if exists (select from public.payment_invoices i
      where i.tenant_id = new.tenant_id and i.folio = new.folio and i.status = 'live' and i.kind <> new.kind) then
    raise exception 'the folio is of another kind' using errcode = '23514', constraint = 'payment_invoices_one_kind';
  end if;
  if new.replaces_id is not null and not exists (select from public.payment_invoices i
      where i.tenant_id = new.tenant_id and i.id = new.replaces_id and i.status = 'replaced') then
    raise exception 'what it takes the place of is not replaced' using errcode = '23514',
      constraint = 'payment_invoices_replaced';
  end if;
  new.recorded_order := door.commit_order(pg_current_xact_id());
  return new;
end $$;
create or replace trigger record_payment_invoice before insert on public.payment_invoices
  for each row execute function door.record_payment_invoice();

create or replace function door.end_payment_invoice() returns trigger
language plpgsql as $$
begin
  new.ended_order := door.commit_order(pg_current_xact_id());
  return new;
end $$;
create or replace trigger end_payment_invoice before update on public.payment_invoices
  for each row when (old.status = 'live' and new.status <> 'live') execute function door.end_payment_invoice();

-- What was recorded stays; another folio is another row.
create or replace trigger made_with before update on public.payment_invoices
  for each row when ((old.payment_id, old.folio, old.kind, old.replaces_id, old.recorded_order)
    is distinct from (new.payment_id, new.folio, new.kind, new.replaces_id, new.recorded_order))
  execute function door.refuse_other_terms();
