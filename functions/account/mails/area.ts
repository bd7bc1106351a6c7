import type { Declaration } from '../../../src/http/declaration.ts'
import { finish, handOver } from './contract.ts'
import { errors } from './errors.ts'
import { mailNoticeLifecycle, mailSuppressionLifecycle, outgoingMailLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    { at: ['/v1/workspace/mail-suppressions', '/v1/workspace/mails'], by: 'operations.ts#operations' },
    { at: ['/v1/mails'], by: 'reports.ts#mailRoutes' },
  ],
  tags: [
    {
      at: 23,
      name: 'Mail suppressions',
      description:
        'What became of mails about your payments and of invitations. Recipients whom we no longer mail about them: their address bounced, or they complained or unsubscribed.',
    },
  ],
  nouns: { 'mail-suppressions': 'mail suppression', mails: 'mail' },
  publishes: [handOver, finish],
  jobs: {
    mail_notices: {
      at: 185,
      runs: 'notices.ts#handOverNotices',
      table: 'mail_notices',
      due: `d.status = 'waiting'`,
      firstBy: 'created_at',
    },
    outgoing_mails: {
      at: 184,
      runs: 'outgoing.ts#sendOutgoing',
      given: 'mails',
      table: 'outgoing_mails',
      firstBy: 'next_check_at',
    },
    // Every run starts it: mails are in the identity database.
    mails: { at: 186, runs: 'send.ts#sendMails', given: 'mails' },
    old_mails: {
      at: 187,
      runs: 'outgoing.ts#forgetMails',
      due: `exists (select from public.outgoing_mails d where d.created_at < now() - interval '30 days'
        and d.status <> 'waiting')`,
    },
  },
  personalData: {
    outgoing_mails: {
      whose: `lower(t.recipient) = any (p_emails) or exists (select from public.payments p
        where p.tenant_id = t.tenant_id and p.id = t.payment_id and p.customer_id = any (p_customers))`,
      while: `t.status = 'waiting'`,
      shownAs: 'mails',
      erasure: { set: `status = 'given_up', recipient = null, data = '{}', next_check_at = null` },
      columns: [
        {
          names: ['kind'],
          fate: 'kept',
          why: 'it says what the mail was for; its row goes after 30 days',
        },
        {
          names: ['recipient'],
          fate: 'emptied',
          why: 'a waiting mail to one of the customer’s addresses, or about one of its payments, is given up',
        },
        {
          names: ['data'],
          fate: 'emptied',
          why: 'what the mail says',
          withheld: 'it may hold an address that is shown once',
        },
        {
          names: ['recipient_digest', 'mailbox_digest', 'network_digest'],
          fate: 'deleted',
          why: 'keyed digests, by which mails to one address are counted: they go with the row after 30 days',
          withheld: 'a digest tells the person nothing',
        },
      ],
    },
    mail_suppressions: {
      columns: [
        {
          names: ['recipient_digest'],
          fate: 'kept',
          why: 'a keyed digest: by it we find who asked for no mails, and send them none',
        },
      ],
    },
  },
  lookedUp: ['mail_notices', 'outgoing_mails', 'mail_suppressions'],
  errors,
  constraints: { outgoing_mails_of_confirmed_owner: { code: 'email_not_confirmed' } },
  lifecycles: [mailNoticeLifecycle, outgoingMailLifecycle, mailSuppressionLifecycle],
}
