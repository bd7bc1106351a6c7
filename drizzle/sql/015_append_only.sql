create or replace function door.refuse_rewrite() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'SP460';
end $$;

-- For triggers whose WHEN names the columns: what a row was made with.
create or replace function door.refuse_other_terms() returns trigger
language plpgsql as $$
begin
  raise exception 'a row of % keeps what it was made with', tg_table_name using errcode = 'SP460';
end $$;
