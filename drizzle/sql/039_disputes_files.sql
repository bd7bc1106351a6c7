-- A dispute's files and those of its workspace are bounded: the lock makes concurrent inserts wait for each other.
create or replace function door.dispute_file_quota() returns trigger
language plpgsql as $$
declare
  v_files_max constant int := 20;
  v_bytes_max constant bigint := 500 * 1024 * 1024;
  v_files int;
  v_bytes bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('dispute_files of ' || new.tenant_id, 0));
  select count(*) filter (where f.dispute_id = new.dispute_id), coalesce(sum(f.bytes), 0) + new.bytes
  into v_files, v_bytes from public.dispute_files f
  where f.tenant_id = new.tenant_id and f.id <> new.id and f.status <> 'removed';
  if v_files >= v_files_max then
    raise exception 'the dispute has all the files that it may have'
      using errcode = '23514', constraint = 'dispute_files_max';
  end if;
  if v_bytes > v_bytes_max then
    raise exception 'the quota of files for evidence is used up'
      using errcode = '23514', constraint = 'dispute_files_quota';
  end if;
  return new;
end $$;
create or replace trigger dispute_file_quota before insert on public.dispute_files
  for each row execute function door.dispute_file_quota();

-- Evidence names files of its own dispute that are there, together of at most the bytes that a bank takes.
-- What was named stays when its file goes.
create or replace function door.evidence_names_own_files() returns trigger
language plpgsql as $$
declare
  v_missing int;
  v_bytes bigint;
begin
  select count(*) filter (where f.id is null), sum(f.bytes) into v_missing, v_bytes
  from jsonb_each_text(new.evidence_files) n
  left join public.dispute_files f on f.tenant_id = new.tenant_id and f.dispute_id = new.id
    and f.id = n.value::uuid and f.status = 'stored';
  if v_missing > 0 then
    raise exception 'evidence names a file that dispute % does not have', new.id
      using errcode = '23514', constraint = 'disputes_evidence_files_own';
  end if;
  if v_bytes > 4500000 then
    raise exception 'the files of the evidence are too much together'
      using errcode = '23514', constraint = 'disputes_evidence_files_bytes';
  end if;
  return null;
end $$;
create or replace trigger evidence_names_own_files after insert on public.disputes
  for each row when (new.evidence_files <> '{}') execute function door.evidence_names_own_files();
create or replace trigger evidence_names_own_files_anew after update on public.disputes
  for each row when (new.evidence_files not in ('{}', old.evidence_files)) execute function door.evidence_names_own_files();
