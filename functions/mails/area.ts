import type { Declaration } from '../../src/http/declaration.ts'
import { finish, handOver } from './contract.ts'
import { mailNoticeLifecycle, outgoingMailLifecycle } from './lifecycle.ts'

export const area: Declaration = {
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
  lookedUp: ['mail_notices', 'outgoing_mails'],
  lifecycles: [mailNoticeLifecycle, outgoingMailLifecycle],
}
