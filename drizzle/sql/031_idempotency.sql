-- An Idempotency-Key is stored only as a keyed digest. Older claims are deleted: no lookup can find them.
do $$
begin
  if not exists (select from pg_constraint where conname = 'idempotency_claims_key_is_digest') then
    alter table public.idempotency_claims no force row level security;
    alter table public.step_up_challenges no force row level security;
    delete from public.idempotency_claims where key !~ '^[0-9a-f]{64}$';
    update public.step_up_challenges set idempotency_key = repeat('0', 64) where idempotency_key !~ '^[0-9a-f]{64}$';
    alter table public.idempotency_claims
      add constraint idempotency_claims_key_is_digest check (key ~ '^[0-9a-f]{64}$');
    alter table public.step_up_challenges
      add constraint step_up_challenges_key_is_digest check (idempotency_key ~ '^[0-9a-f]{64}$');
    alter table public.idempotency_claims force row level security;
    alter table public.step_up_challenges force row level security;
  end if;
end $$;

-- The least version 7 id of a time.
create or replace function door.id_at(p_at timestamptz) returns uuid
language sql immutable
return (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
