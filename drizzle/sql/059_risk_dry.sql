-- What the lists and rules of now would decide of a payment's last try, with what was counted then.
create or replace function door.risk_asked_again(p_payment uuid)
returns table (features jsonb, decision text, matches jsonb)
language sql stable as $$
  select f.features, d.decision, d.matches
  from (
    select p.tenant_id, e.features, array[nullif(e.method_details->>'bin6', '') || '******'
        || nullif(e.method_details->>'last4', ''), e.features->>'card_bin', v.mailbox, coalesce(split_part(v.mailbox, '@', 2), e.features->>'email_domain')]
        || v.customers::text[] "values"
    from public.payments p
    cross join lateral (
      select r.features, a.method_details from public.payment_attempts a
      join public.risk_evaluations r on r.tenant_id = a.tenant_id and r.id = a.id
      where a.tenant_id = p.tenant_id and a.payment_id = p.id order by a.number desc limit 1
    ) e
    cross join lateral (
      select (select door.mailbox_of(o.email) from (select c.email from public.payment_contacts c
        where c.tenant_id = p.tenant_id and c.payment_id = p.id order by c.created_at desc, c.id desc limit 1) o) mailbox
      offset 0
    ) m
    cross join lateral (
      select m.mailbox, array(select c from door.risk_customers(p.tenant_id, p.customer_id, m.mailbox) c) customers offset 0
    ) v
    where p.tenant_id = (select door.sealed_tenant()) and p.id = p_payment
    offset 0
  ) k
  cross join lateral door.risk_listed(k.tenant_id, now(), k."values") l
  cross join lateral (select k.features || jsonb_build_object('lists', l.lists) features offset 0) f
  cross join lateral door.risk_decided(k.tenant_id, f.features, l.blocks, l.allows, l.reviews) d
$$;

-- What they would decide of a try that is only described, with what is counted now. A card is counted as the last one with
-- these digits that was tried within a day; a customer is who is named, or whose verified address it is: as a
-- payment gets one, and then as door.risk_customers finds it.
create or replace function door.risk_described(p jsonb)
returns table (features jsonb, decision text, matches jsonb)
language sql stable as $$
  select f.features, d.decision, d.matches
  from (
    select w.tenant_id, v.mailbox, v.customers, array[(p->>'bin') || '******' || (p->>'last4'), p->>'bin', v.mailbox,
        split_part(v.mailbox, '@', 2)] || v.customers::text[] "values",
      (p->'try') || jsonb_build_object('is_confirmed', false) try,
      coalesce((
        select t.card_digest
        from (select o.id from public.payments o where o.tenant_id = w.tenant_id and o.paid_by = p->>'last4'
          order by o.created_at desc limit 100) o
        cross join lateral (select a.id from public.payment_attempts a where a.tenant_id = w.tenant_id and a.payment_id = o.id
          and a.method_details @> jsonb_build_object('bin6', p->>'bin', 'last4', p->>'last4') offset 0) a
        cross join lateral (select c.* from public.card_tries c where c.tenant_id = w.tenant_id and c.id = a.id offset 0) t
        order by t.created_at desc limit 1), '') card_digest
    from (select door.sealed_tenant() tenant_id offset 0) w
    cross join lateral (
      select door.mailbox_of(p->>'email') mailbox, coalesce((p->>'customer_id')::uuid, (
        select o.customer_id from public.customer_contacts o
        join public.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id and c.status = 'active'
        where o.tenant_id = w.tenant_id and o.kind = 'email' and o.value = p->>'email' and o.status = 'active'
          and o.verified_at is not null)) customer
      offset 0
    ) n
    cross join lateral (
      select n.mailbox, array(select c from door.risk_customers(w.tenant_id, n.customer, n.mailbox) c) customers offset 0
    ) v
    offset 0
  ) k
  cross join lateral door.risk_features(k.tenant_id, now(), k.try, k."values", k.customers, k.mailbox, k.card_digest,
    p->>'contact_digest', p->>'network_digest') f
  cross join lateral door.risk_decided(k.tenant_id, f.features, f.blocks, f.allows, f.reviews) d
$$;
