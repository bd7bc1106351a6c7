import type { PersonalTables } from '../../../src/http/declaration.ts'

const ofPayment = `t.payment_id in (select p.id from public.payments p
  where p.tenant_id = p_tenant and p.customer_id = any (p_customers))`

const kept = {
  fate: 'kept',
  why: 'tax law (Código Fiscal, five years) and the rules of the card schemes for disputes',
} as const

export const personalData: PersonalTables = {
  payments: {
    whose: 't.customer_id = any (p_customers)',
    shownAs: 'payments',
    columns: [
      {
        names: ['status', 'amount_minor', 'currency', 'description', 'method', 'method_details'],
        ...kept,
      },
      { names: ['client_reference_id', 'metadata'], ...kept },
      {
        names: ['order'],
        ...kept,
        withheld: 'it has no form for people: the amount and the description say it',
      },
    ],
    impersonal: 'public_id taxes takes delivers paid_by fee_schedule_version origin_type',
  },
  payment_attempts: {
    columns: [
      {
        names: ['network_digest', 'contact_digest'],
        fate: 'kept',
        why: 'keyed digests, by which one buyer’s unpaid attempts are counted',
      },
    ],
    impersonal:
      'processor processor_ref intent_key method_details stored_card next_action contradiction three_ds',
  },
  card_tries: {
    columns: [
      {
        names: ['network_digest', 'contact_digest', 'card_digest'],
        fate: 'kept',
        why: 'keyed digests, for a day, by which cards that are tried out are counted',
      },
    ],
  },
  payment_contacts: {
    whose: `t.email = any (p_emails) or ${ofPayment}`,
    shownAs: 'payment_contacts',
    erasure: 'delete',
    goes: 'later',
    columns: [
      {
        names: ['email'],
        fate: 'deleted',
        why: 'addresses that buyers gave with the customer’s payments, and those of the customer wherever they were given',
      },
    ],
    impersonal: 'page',
  },
  spei_deposits: {
    whose: ofPayment,
    shownAs: 'spei_deposits',
    columns: [
      { names: ['amount_minor', 'sender_bank', 'sender_clabe', 'sender_name', 'clave_rastreo'], ...kept },
    ],
    impersonal: 'clabe',
  },
  clabes: { columns: [], impersonal: 'clabe' },
  vouchers: { columns: [], impersonal: 'reference' },
}
