-- Whether a rule holds of what is known of a try. What is not known holds nothing; a text is compared without its case.
create or replace function door.risk_holds(p_rule jsonb, p_features jsonb) returns boolean
language plpgsql immutable as $$
declare
  v_type constant text := p_rule->>'type';
  v_known text;
begin
  case v_type
  when 'all' then
    return not exists (select from jsonb_array_elements(p_rule->'rules') r (rule) where not door.risk_holds(r.rule, p_features));
  when 'any' then
    return exists (select from jsonb_array_elements(p_rule->'rules') r (rule) where door.risk_holds(r.rule, p_features));
  when 'none' then
    return not exists (select from jsonb_array_elements(p_rule->'rules') r (rule) where door.risk_holds(r.rule, p_features));
  when 'in_list' then
    return p_features->'lists' ? (p_rule->>'list_id');
  else
    v_known := p_features->>v_type;
    return coalesce(case
      when p_rule ? 'is' then lower(v_known) = lower(p_rule->>'is')
      when p_rule->>'currency' <> p_features->>'currency' then false
      else v_known::numeric between coalesce((p_rule->>'gte')::numeric, 0) and coalesce((p_rule->>'lte')::numeric, 'infinity')
    end, false);
  end case;
end $$;

-- A judgement is asked live and in a dry run by the functions below. They are one query each, which Postgres puts in the
-- place of its call: so a judgement stays one statement.

-- The lists that name one of the values, and what they do by themselves.
create or replace function door.risk_listed(p_tenant uuid, p_at timestamptz, p_values text[])
returns table (lists jsonb, blocks boolean, allows boolean, reviews boolean)
language sql stable as $$
  select coalesce(jsonb_agg(distinct i.list_id), '[]') lists,
    coalesce(bool_or(o.effect = 'block'), false) blocks, coalesce(bool_or(o.effect = 'allow'), false) allows,
    coalesce(bool_or(o.effect = 'review'), false) reviews
  from unnest(p_values) v (value)
  cross join lateral (select m.list_id from public.risk_list_items m where m.tenant_id = p_tenant
    and m.value = v.value and m.status = 'active' and coalesce(m.expires_at > p_at, true) offset 0) i
  join public.risk_lists o on o.tenant_id = p_tenant and o.id = i.list_id
$$;

-- The customers that a try is of, with all that became part of them: the payment's; where it has none, those whose verified
-- address has the mailbox that was typed, blocked ones too.
create or replace function door.risk_customers(p_tenant uuid, p_customer uuid, p_mailbox text) returns setof uuid
language sql stable rows 2 as $$
  select distinct w.id from (
    select p_customer id where p_customer is not null
    union all
    select o.customer_id from public.customer_contacts o
    where p_customer is null and o.tenant_id = p_tenant and o.mailbox = p_mailbox and o.status = 'active' and o.verified_at is not null
  ) c
  cross join lateral door.customers_within(c.id) w (id)
$$;

-- What is known of a try at a time: `p_try` has what it says of itself. Of each count the last 100 tries are looked at: a
-- carrier has many.
create or replace function door.risk_features(p_tenant uuid, p_at timestamptz, p_try jsonb, p_values text[], p_customers uuid[],
  p_mailbox text, p_card_digest text, p_contact_digest text, p_network_digest text)
returns table (features jsonb, blocks boolean, allows boolean, reviews boolean)
language sql stable as $$
  select p_try || jsonb_build_object('email_domain', nullif(split_part(p_mailbox, '@', 2), ''),
      'hour', extract(hour from p_at at time zone 'America/Mexico_City')::int,
      'customer_payments', b.payments, 'card_tries_hour', c.tries_hour, 'card_tries_day', c.tries_day,
      'card_failures_day', c.failures_day, 'email_cards_hour', case when p_contact_digest is null then 0 else e.cards_hour end,
      'email_cards_day', case when p_contact_digest is null then 0 else e.cards_day end,
      'email_failures_day', e.failures_day, 'network_cards_hour', n.cards_hour, 'network_failures_hour', n.failures_hour,
      'score', s.score, 'points', s.points, 'lists', l.lists),
    l.blocks, l.allows, l.reviews
  from door.risk_listed(p_tenant, p_at, p_values) l
  cross join lateral (
    select 1 + count(*) filter (where t.created_at > p_at - interval '1 hour') tries_hour, 1 + count(*) tries_day,
      count(*) filter (where t.has_failed) failures_day
    from (select o.created_at, o.has_failed from public.card_tries o
      where o.tenant_id = p_tenant and o.card_digest = p_card_digest
        and o.created_at > p_at - interval '1 day' order by o.created_at desc limit 100) t
  ) c
  cross join lateral (
    select count(distinct t.card_digest) filter (where t.created_at > p_at - interval '1 hour'
        and t.card_digest <> p_card_digest) + 1 cards_hour,
      count(distinct t.card_digest) filter (where t.card_digest <> p_card_digest) + 1 cards_day,
      count(distinct t.card_digest) filter (where t.has_failed) failures_day
    from (select o.card_digest, o.created_at, o.has_failed from public.card_tries o
      where o.tenant_id = p_tenant and o.contact_digest = p_contact_digest
        and o.created_at > p_at - interval '1 day' order by o.created_at desc limit 100) t
  ) e
  cross join lateral (
    select count(distinct t.card_digest) filter (where t.card_digest <> p_card_digest) + 1 cards_hour,
      count(distinct t.card_digest) filter (where t.has_failed) failures_hour
    from (select o.card_digest, o.has_failed from public.card_tries o
      where o.tenant_id = p_tenant and o.network_digest = p_network_digest
        and o.created_at > p_at - interval '1 hour' order by o.created_at desc limit 100) t
  ) n
  cross join lateral (
    select count(*) payments from (select from unnest(p_customers) v (id)
      cross join lateral (select from public.payments p where p.tenant_id = p_tenant and p.customer_id = v.id
        and p.status in ('succeeded', 'partially_captured') and p.open_disputes_count = 0
        and p.amount_captured_minor > p.amount_refunded_minor + p.amount_disputed_minor limit 100) o limit 100) o
  ) b
  cross join lateral (
    select greatest(0, least(100, coalesce(sum(p.points), 0))) score,
      coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'points', p.points) order by p.name), '[]') points
    from (values
      ('card_failed_before', 15, c.failures_day >= 2),
      ('card_tried_often', 15, c.tries_day >= 5),
      ('email_with_failed_cards', 25, e.failures_day >= 2),
      ('email_with_many_cards', 25, e.cards_day >= 3),
      ('known_customer', -20, b.payments >= 1),
      ('network_with_failed_cards', 15, n.failures_hour >= 5),
      ('no_email', 5, p_mailbox is null),
      ('prepaid_card', 10, p_try->>'card_funding' = 'prepaid')
    ) p (name, points, holds) where p.holds
  ) s
$$;

-- What the lists that name a try, and the rules in force and in shadow, decide. The order: a list that blocks, a list or
-- rule that allows, a rule that blocks, one that has the bank confirm, a list or rule that sends to review.
create or replace function door.risk_decided(p_tenant uuid, p_features jsonb, p_blocks boolean, p_allows boolean,
  p_reviews boolean) returns table (decision text, matches jsonb)
language sql stable as $$
  select case when p_blocks then 'block' when p_allows or m.allows then 'allow' when m.blocks then 'block'
      when m.confirms then 'confirm' when p_reviews or m.reviews then 'review' else 'none' end, m.matches
  from (
    select coalesce(jsonb_agg(jsonb_build_object('rule_id', r.id, 'action', r.action, 'status', r.status)
        order by r.created_at, r.id), '[]') matches,
      coalesce(bool_or(r.status = 'active' and r.action = 'allow'), false) allows,
      coalesce(bool_or(r.status = 'active' and r.action = 'block'), false) blocks,
      coalesce(bool_or(r.status = 'active' and r.action = 'confirm'), false) confirms,
      coalesce(bool_or(r.status = 'active' and r.action = 'review'), false) reviews
    from public.risk_rules r
    where r.tenant_id = p_tenant and r.status in ('shadow', 'active') and door.risk_holds(r.condition, p_features)
  ) m
$$;

-- Judges a card that is tried, once, by the workspace's own lists and rules, and keeps what was known: counts are exact,
-- since the locks of door.guard_cards are held.
create or replace function door.judge_card() returns trigger
language plpgsql as $$
declare
  v_decision text;
begin
  insert into public.risk_evaluations (tenant_id, id, payment_id, decision, features, matches, created_at)
  select new.tenant_id, new.id, k.payment_id, d.decision, f.features, d.matches, new.created_at
  from (
    select a.payment_id, v.mailbox, v.customers, array[nullif(a.method_details->>'bin6', '') || '******'
        || nullif(a.method_details->>'last4', ''), nullif(a.method_details->>'bin6', ''), v.mailbox,
        split_part(v.mailbox, '@', 2)] || v.customers::text[] "values",
      jsonb_build_object('amount', a.amount_minor::text, 'currency', a.currency, 'installments', a.installment_months,
        'origin_type', p.origin_type, 'card_brand', a.method_details->'brand', 'card_funding', a.method_details->'funding',
        'card_bin', nullif(a.method_details->>'bin6', ''), 'is_confirmed', new.is_confirmed) try
    from public.payment_attempts a
    -- A plan that is made for small tables must not look through large ones: each part is found by its own index.
    cross join lateral (select o.* from public.payments o where o.tenant_id = a.tenant_id and o.id = a.payment_id offset 0) p
    -- Who tries again need not type the address again.
    cross join lateral (
      select (select door.mailbox_of(o.email) from (select c.email from public.payment_contacts c
        where c.tenant_id = p.tenant_id and c.payment_id = p.id order by c.created_at desc, c.id desc limit 1) o) mailbox
      offset 0
    ) m
    cross join lateral (
      select m.mailbox, array(select c from door.risk_customers(p.tenant_id, p.customer_id, m.mailbox) c) customers offset 0
    ) v
    where a.tenant_id = new.tenant_id and a.id = new.id
    -- Once, not wherever it is named.
    offset 0
  ) k
  cross join lateral door.risk_features(new.tenant_id, new.created_at, k.try, k."values", k.customers, k.mailbox,
    new.card_digest, new.contact_digest, new.network_digest) f
  cross join lateral door.risk_decided(new.tenant_id, f.features, f.blocks, f.allows, f.reviews) d
  returning decision into v_decision;
  -- The Worker asked before it knew; it sends the try again as it is decided.
  if (v_decision = 'block') <> new.is_blocked then
    raise exception 'the workspace decides otherwise' using errcode = '23514',
      constraint = case when new.is_blocked then 'card_not_blocked' else 'card_blocked' end;
  elsif v_decision = 'confirm' and not new.is_confirmed then
    raise exception 'the bank confirms this buyer' using errcode = '23514', constraint = 'cards_confirmed';
  elsif v_decision = 'review' then
    update public.payments p set reviewed_attempt_id = new.id
    from public.payment_attempts a
    where a.tenant_id = new.tenant_id and a.id = new.id and p.tenant_id = a.tenant_id and p.id = a.payment_id;
  end if;
  return new;
end $$;
-- After door.guard_cards: triggers run by name.
create or replace trigger judge_card before insert on public.card_tries for each row execute function door.judge_card();

-- What a rule says stays once it was watched; what it was watched or switched on for is one condition.
create or replace trigger risk_rule_stays before update on public.risk_rules
  for each row when (old.status <> 'draft' and (old.condition, old.action) is distinct from (new.condition, new.action))
  execute function door.refuse_other_terms();

-- Each rule in force is asked at each try, and each list and value is looked for.
create or replace trigger risk_rules_limit before insert on public.risk_rules
  for each row execute function door.limit_rows('50', 'retired', 'risk_rules_limit');
create or replace trigger risk_lists_limit before insert on public.risk_lists
  for each row execute function door.limit_rows('50', 'deleted', 'risk_lists_limit');
create or replace trigger risk_list_items_limit before insert on public.risk_list_items
  for each row execute function door.limit_rows('10000', 'removed', 'risk_list_items_limit');

grant delete on public.risk_evaluations to spindle_auth;
grant delete on public.risk_list_items to spindle_door, spindle_auth;

-- Only what was looked at is switched on: for a day in shadow, or on days that are over.
create or replace function door.risk_rule_watched() returns trigger
language plpgsql as $$
begin
  if old.shadowed_at > new.updated_at - interval '24 hours' and not exists (select from public.risk_backtests b
    where b.tenant_id = new.tenant_id and b.rule_id = new.id and b.condition = new.condition and b.action = new.action
      and b.tries_count > 0) then
    raise exception 'nobody has seen what the rule would do' using errcode = '23514', constraint = 'risk_rule_unwatched';
  end if;
  return new;
end $$;
create or replace trigger risk_rule_watched before update on public.risk_rules
  for each row when (old.status = 'shadow' and new.status = 'active') execute function door.risk_rule_watched();

-- A value that has expired makes room for itself.
create or replace function door.end_expired_item() returns trigger
language plpgsql as $$
begin
  update public.risk_list_items i set status = 'removed', version = i.version + 1, updated_at = new.created_at
  where i.tenant_id = new.tenant_id and i.list_id = new.list_id and i.value = new.value and i.status = 'active'
    and i.expires_at <= new.created_at;
  return new;
end $$;
create or replace trigger end_expired_item before insert on public.risk_list_items
  for each row execute function door.end_expired_item();

-- A deleted list takes its values with it, and gets none. The lock orders the two.
create or replace function door.risk_list_ends() returns trigger
language plpgsql as $$
begin
  update public.risk_list_items i set status = 'removed', version = i.version + 1, updated_at = new.updated_at
  where i.tenant_id = new.tenant_id and i.list_id = new.id and i.status = 'active';
  return null;
end $$;
create or replace trigger risk_list_ends after update on public.risk_lists
  for each row when (old.status = 'active' and new.status <> 'active') execute function door.risk_list_ends();

create or replace function door.list_takes_items() returns trigger
language plpgsql as $$
begin
  perform from public.risk_lists l where l.tenant_id = new.tenant_id and l.id = new.list_id and l.status = 'active' for share;
  if not found then
    raise exception 'the list is deleted' using errcode = '23514', constraint = 'risk_list_items_list_active';
  end if;
  return new;
end $$;
create or replace trigger list_takes_items before insert on public.risk_list_items
  for each row execute function door.list_takes_items();

-- A rule that is asked names its lists: without one, what it says would turn round.
create or replace function door.risk_list_unused() returns trigger
language plpgsql as $$
begin
  if exists (select from public.risk_rules r where r.tenant_id = new.tenant_id and r.status in ('shadow', 'active')
      and position(new.id::text in r.condition::text) > 0) then
    raise exception 'a rule asks the list' using errcode = '23514', constraint = 'risk_list_in_use';
  end if;
  return new;
end $$;
create or replace trigger risk_list_unused before update on public.risk_lists
  for each row when (old.status = 'active' and new.status <> 'active') execute function door.risk_list_unused();

-- A rule that begins to be asked finds all its lists, and keeps them from being deleted meanwhile.
create or replace function door.risk_rule_lists() returns trigger
language plpgsql as $$
declare
  v_lists constant uuid[] := array(select distinct (n.id #>> '{}')::uuid
    from jsonb_path_query(new.condition, '$.**.list_id') n (id));
begin
  perform from public.risk_lists l
  where l.tenant_id = new.tenant_id and l.id = any (v_lists) and l.status = 'active' for share;
  if (select count(*) from public.risk_lists l
      where l.tenant_id = new.tenant_id and l.id = any (v_lists) and l.status = 'active') < cardinality(v_lists) then
    raise exception 'a list of the rule is deleted' using errcode = '23514', constraint = 'risk_rule_lists_active';
  end if;
  return new;
end $$;
create or replace trigger risk_rule_lists before update on public.risk_rules
  for each row when (old.status not in ('shadow', 'active') and new.status in ('shadow', 'active'))
  execute function door.risk_rule_lists();
