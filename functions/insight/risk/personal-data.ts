import type { PersonalTables } from '../../../src/http/declaration.ts'

const ofPerson = `select p.id from public.payments p where p.tenant_id = p_tenant and p.customer_id = any (p_customers)
      union all select c.payment_id from public.payment_contacts c where c.tenant_id = p_tenant and c.email = any (p_emails)`

/** A BIN and a domain are of many people. */
const ofMany = `t.list_id in (select l.id from public.risk_lists l
      where l.tenant_id = p_tenant and l.kind in ('bin', 'email_domain'))`

const shop = 'it says nothing of the person'

export const personalData: PersonalTables = {
  risk_list_items: [
    {
      whose: `not ${ofMany} and (t.value = any (p_customers::text[])
      or t.value in (select door.mailbox_of(e) from unnest(p_emails) e) or t.payment_id in (${ofPerson})
      or t.value in (select a.method_details->>'bin6' || '******' || (a.method_details->>'last4') from public.payment_attempts a
        where a.tenant_id = p_tenant and a.payment_id in (${ofPerson})))`,
      erasure: 'delete',
      shownAs: 'risk_list_items',
      columns: [
        {
          names: ['value', 'reason'],
          fate: 'deleted',
          why: 'a list names the person by an address, an id or a card that paid or was tried',
        },
      ],
      impersonal: 'created_by_user_id created_by_email',
    },
    {
      whose: `${ofMany} and t.payment_id in (${ofPerson})`,
      erasure: { set: 'payment_id = null, reason = null' },
      columns: [
        {
          names: ['payment_id', 'reason'],
          fate: 'emptied',
          why: 'of a BIN or a domain: the payment and the words may name the person, the value is of many',
          withheld: 'the payment is shown, and what is said of a BIN is of no person',
        },
      ],
    },
  ],
  risk_evaluations: {
    whose: `t.id in (select a.id from public.payment_attempts a
      where a.tenant_id = p_tenant and a.payment_id in (${ofPerson}))`,
    while: `t.features->>'email_domain' is not null`,
    erasure: { set: `features = features || '{"email_domain": null}'` },
    columns: [
      {
        names: ['features'],
        fate: 'emptied',
        why: 'the domain of an address may name its owner; counts and the card’s kind stay',
        withheld: 'it is what a merchant knew of a try, and names nobody',
      },
      { names: ['decision', 'matches'], fate: 'kept', why: shop, withheld: shop },
    ],
  },
  risk_reviews: {
    whose: `t.payment_id in (${ofPerson})`,
    while: 't.note is not null',
    erasure: { set: 'note = null' },
    shownAs: 'risk_reviews',
    columns: [
      {
        names: ['note'],
        fate: 'emptied',
        why: 'what is said of a decision about a payment may name its buyer',
      },
      { names: ['status', 'amount_minor', 'currency'], fate: 'kept', why: shop },
    ],
    impersonal: 'decided_by_user_id decided_by_email announced',
  },
}
