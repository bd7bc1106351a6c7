import type { Declaration } from '../../src/http/declaration.ts'
import { handOver } from './contract.ts'
import { mailNoticeLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  neighbours: ['hosted-payment'],
  publishes: [handOver],
  jobs: {
    mail_notices: {
      at: 185,
      runs: 'notices.ts#handOverNotices',
      table: 'mail_notices',
      due: `d.status = 'waiting'`,
      firstBy: 'created_at',
    },
    // Every run starts it: mails are in the identity database.
    mails: { at: 186, runs: 'send.ts#sendMails' },
  },
  lookedUp: ['mail_notices'],
  lifecycles: [mailNoticeLifecycle],
}
