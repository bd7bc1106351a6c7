-- An inquiry moves no money: nothing is booked of it. It is, under the same row, the dispute that it becomes, so that a
-- dispute's journals follow the move to one.
create or replace function door.refuse_books_of_inquiry() returns trigger
language plpgsql as $$
begin
  if exists (select from public.disputes d where d.tenant_id = new.tenant_id and d.id = new.source_id
      and d.status like 'inquiry%') then
    raise exception 'inquiry % has claimed nothing', new.source_id
      using errcode = '23514', constraint = 'disputes_inquiry_not_booked';
  end if;
  return null;
end $$;

create or replace trigger refuse_books_of_inquiry after insert on public.ledger_journals
  for each row when (new.source_type = 'dispute') execute function door.refuse_books_of_inquiry();
