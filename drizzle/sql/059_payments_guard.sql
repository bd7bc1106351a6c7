-- Stolen cards are tried out on pages: many cards, one after the other, most of them declined. What is counted are cards
-- that were tried and failed, of the last ten minutes (of one address: of the last hour). One whose buyer leaves the
-- bank's question open for half a minute has failed too.
-- From five on, if they are six of ten at one sale from one network, or from twenty on at all sales from one network, the
-- bank confirms each buyer there. From forty on, if they are nine of ten at one sale from one network, cards pause there;
-- from ten on by one address, for that address. A network alone never pauses: a carrier is one network for many buyers.
-- A server's word for where its buyer is may be the thief's own (X-Forwarded-For): from ten failed cards on at one sale, from
-- whichever networks, the bank confirms each further one that a server tries there.
-- Cards of buyers who were taken for persons are counted apart at a sale, so that programs do not pause them.
-- The locks have those who come at once from one network, with one address or with one card counted one after the other.
-- They are taken in this order, and are the last of a submit. What a rule of the workspace blocks is no failed card: no bank
-- has seen it.
create or replace function door.guard_cards() returns trigger
language plpgsql as $$
declare
  v_since constant timestamptz := new.created_at - interval '10 minutes';
  v_of_network bigint;
  v_failed bigint;
  v_accepted bigint;
  v_of_contact bigint := 0;
  v_of_sale bigint;
  v_open bigint;
begin
  -- Who tries again need not type the address again: it is that of the payment's try before.
  select t.contact_digest into new.contact_digest
  from (select coalesce(new.contact_digest, (
    select c.contact_digest from (select a.payment_id, a.number from public.payment_attempts a
      where a.tenant_id = new.tenant_id and a.id = new.id and a.number > 1 offset 0) a
    cross join lateral (select b.id, b.number from public.payment_attempts b
      where b.tenant_id = new.tenant_id and b.payment_id = a.payment_id and b.number < a.number offset 0) b
    cross join lateral (select c.contact_digest from public.card_tries c
      where c.tenant_id = new.tenant_id and c.id = b.id and c.contact_digest is not null offset 0) c
    order by b.number desc limit 1)) contact_digest offset 0) t
  cross join lateral (
    select count(pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'card_tries', new.tenant_id, d.digest), 0)))
    from unnest(array[new.network_digest, t.contact_digest, new.card_digest]) d (digest) where d.digest is not null
  ) locked;
  select count(distinct t.card_digest),
    count(distinct t.card_digest) filter (where t.origin_id = new.origin_id and t.is_person = new.is_person),
    -- Whether they were answered is looked at from five on.
    (select count(*) from (select from public.card_tries o
      where o.tenant_id = new.tenant_id and o.network_digest = new.network_digest and o.origin_id = new.origin_id
        and o.created_at > v_since and o.created_at <= new.created_at - interval '30 seconds' and o.is_confirmed
        and o.is_person = new.is_person and not o.has_failed limit 5) o)
  into v_of_network, v_failed, v_open from public.card_tries t
  where t.tenant_id = new.tenant_id and t.network_digest = new.network_digest and t.has_failed and t.created_at > v_since;
  if new.contact_digest is not null then
    v_of_contact := (select count(distinct t.card_digest) from public.card_tries t
      where t.tenant_id = new.tenant_id and t.contact_digest = new.contact_digest and t.has_failed
        and t.created_at > new.created_at - interval '1 hour');
  end if;
  if v_of_contact >= 10 then
    raise exception 'cards pause for an address' using errcode = '23514', constraint = 'cards_paused_for_address';
  end if;
  -- Where the bank confirms each buyer, no card need be declined.
  if v_failed + v_open >= 5 then
    v_failed := v_failed + (select count(distinct o.card_digest)
      from (select t.id, t.card_digest from public.card_tries t
        where t.tenant_id = new.tenant_id and t.network_digest = new.network_digest and t.origin_id = new.origin_id
          and t.created_at > v_since and t.created_at <= new.created_at - interval '30 seconds' and t.is_confirmed
          and t.is_person = new.is_person and not t.has_failed order by t.created_at desc limit 100) o
      join public.payment_attempts a on a.tenant_id = new.tenant_id and a.id = o.id and a.status = 'pending_customer');
    -- With as many accepted cards as failed ones both rules are false, so that not all need be read.
    v_accepted := (select count(distinct o.card_digest) from (
      select t.card_digest from public.card_tries t
      join public.payment_attempts a on a.tenant_id = t.tenant_id and a.id = t.id and a.status in ('authorized', 'captured')
      where t.tenant_id = new.tenant_id and t.network_digest = new.network_digest and t.origin_id = new.origin_id
        and t.created_at > v_since and t.is_person = new.is_person and not t.has_failed limit v_failed * 10) o);
    if v_failed >= 40 and v_failed >= v_accepted * 9 then
      raise exception 'cards pause here' using errcode = '23514', constraint = 'cards_paused';
    end if;
  end if;
  if new.is_server and not new.is_confirmed then
    v_of_sale := (select count(distinct t.card_digest) from public.card_tries t
      where t.tenant_id = new.tenant_id and t.origin_id = new.origin_id and t.has_failed and t.created_at > v_since);
    if v_of_sale >= 10 then
      raise exception 'the bank confirms the buyer of this sale' using errcode = '23514', constraint = 'cards_confirmed';
    end if;
  end if;
  if not new.is_confirmed and (v_failed >= 5 and v_failed * 2 >= v_accepted * 3 or v_of_network >= 20) then
    raise exception 'the bank confirms the buyer here' using errcode = '23514', constraint = 'cards_confirmed';
  end if;
  return new;
end $$;
create or replace trigger guard_cards before insert on public.card_tries
  for each row execute function door.guard_cards();

create or replace function door.card_has_failed() returns trigger
language plpgsql as $$
begin
  if new.status in ('declined', 'canceled', 'expired') and old.status not in ('authorized', new.status) then
    update public.card_tries t set has_failed = true where t.tenant_id = new.tenant_id and t.id = new.id and not t.is_blocked;
  end if;
  return null;
end $$;
create or replace trigger card_has_failed after update on public.payment_attempts
  for each row execute function door.card_has_failed();

grant delete on public.card_tries to spindle_auth;
