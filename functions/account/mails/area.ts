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
      table: 'outgoing_mails',
      firstBy: 'next_check_at',
    },
    // Every run starts it: mails are in the identity database.
    mails: { at: 186, runs: 'send.ts#sendMails' },
    old_mails: {
      at: 187,
      runs: 'outgoing.ts#forgetMails',
      due: `exists (select from public.outgoing_mails d where d.created_at < now() - interval '30 days'
        and d.status <> 'waiting')`,
    },
  },
  lookedUp: ['mail_notices', 'outgoing_mails', 'mail_suppressions'],
  errors,
  constraints: { outgoing_mails_of_confirmed_owner: { code: 'email_not_confirmed' } },
  lifecycles: [mailNoticeLifecycle, outgoingMailLifecycle, mailSuppressionLifecycle],
}
