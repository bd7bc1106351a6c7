import type { Declaration } from '../../../src/http/declaration.ts'
import { submit, view } from './contract.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  routes: [
    { at: ['/*_'], by: 'pages/routes.ts#buyerPages', given: 'sold' },
    { at: ['/reminders'], by: 'pages/mailed/reminders.ts#reminderPages' },
    { at: ['/downloads'], by: 'pages/result/downloads.ts#downloadPages' },
  ],
  publishes: [submit, view],
  errors,
  personalData: {
    buyer_details: {
      whose: `t.id in (select d.id from public.buyer_details d where d.tenant_id = p_tenant and d.payment_id in (
          select p.id from public.payments p where p.tenant_id = p_tenant and p.customer_id = any (p_customers)
          union all select c.payment_id from public.payment_contacts c where c.tenant_id = p_tenant and c.email = any (p_emails)
          union all select g.payment_id from door.details_given_with(p_tenant, p_email_digests) g)
        union all select g.id from door.details_given_with(p_tenant, p_email_digests) g
        union all select d.id from public.buyer_details d
        join public.checkout_sessions s on s.tenant_id = d.tenant_id and s.id = d.origin_id
        where d.tenant_id = p_tenant and d.payment_id is null and s.customer_id = any (p_customers))`,
      shownAs: 'collected_details',
      erasure: 'delete',
      together: 'coalesce(t.payment_id, t.id)',
      columns: [
        { names: ['details'], fate: 'deleted', why: 'they are what the person gave to pay' },
        {
          names: ['email', 'email_digests'],
          fate: 'deleted',
          why: 'the details are found by them',
          withheld: 'they repeat the address in the details',
        },
      ],
    },
  },
  lookedUp: ['buyer_details'],
  secret: { buyer_details: ['email_digests'] },
}
