-- From the first payment on, the amount, methods and installments of what is sold stay what the buyer saw.
create or replace function door.refuse_new_terms() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p where p.tenant_id = new.tenant_id and p.origin_id = new.id) then
    raise exception 'a payment has been tried on these terms'
      using errcode = '23514', constraint = tg_table_name || '_terms_frozen';
  end if;
  return new;
end $$;

create or replace trigger terms_frozen before update on public.payment_links
  for each row when (old.terms_version <> new.terms_version) execute function door.refuse_new_terms();

create or replace trigger workspace_takes_payments before insert on public.payment_links
  for each row execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed');
