create or replace function door.refuse_rewrite() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'SP460';
end $$;
