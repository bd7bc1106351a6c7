import type { Declaration } from '../../src/http/declaration.ts'
import { handOver } from './contract.ts'
import { mailNoticeLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  neighbours: ['hosted-payment'],
  publishes: [handOver],
  jobs: {
    mails: {
      at: 185,
      runs: 'send.ts#sendDueMails',
      table: 'mail_notices',
      due: `d.status = 'waiting'`,
      firstBy: 'created_at',
    },
  },
  lookedUp: ['mail_notices'],
  lifecycles: [mailNoticeLifecycle],
}
