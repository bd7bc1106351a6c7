import type { Declaration } from '../../src/http/declaration.ts'

export const area: Declaration = {
  neighbours: ['hosted-payment'],
  jobs: { mails: { at: 185, runs: 'send.ts#sweepMails' } },
}
