/** What must be true of what readers stored without a network. As `bookRules` has them. */
export const offlineRules: Readonly<Record<string, string>> = {
  'what was used of an allowance is not what was taken under it': `
    select a.id::text from offline_allowances a where a.tenant_id = $1 and a.stored_minor is distinct from
      (select coalesce(sum(o.amount_minor), 0) from offline_payments o
       where o.tenant_id = a.tenant_id and o.allowance_id = a.id and o.status <> 'refused')`,
  'a stored payment has another status than its attempt': `
    select o.id::text from offline_payments o
    join payment_attempts a on a.tenant_id = o.tenant_id and a.payment_id = o.payment_id
    where o.tenant_id = $1 and o.status <> case a.status when 'submitting' then 'forwarding' when 'captured' then 'succeeded'
      when 'declined' then 'declined' when 'unknown' then 'unknown' when 'amount_mismatch' then 'unknown' else 'canceled' end`,
  'a stored payment that was not paid is no loss, or one that was is one': `
    select o.id::text from offline_payments o
    left join payment_attempts a on a.tenant_id = o.tenant_id and a.payment_id = o.payment_id
    left join offline_losses l on l.tenant_id = o.tenant_id and l.id = o.id
    where o.tenant_id = $1 and (l.id is not null) is distinct from
      (o.status in ('declined', 'canceled') and coalesce(a.resolution, 'agreed') = 'agreed')
      or o.tenant_id = $1 and l.amount_minor <> o.amount_minor`,
}
