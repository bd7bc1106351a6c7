import type { Declaration } from '../../../src/http/declaration.ts'
import { submit, view } from './contract.ts'

export const area: Declaration = {
  routes: [
    { at: ['/*_'], by: 'pages/routes.ts#buyerPages', given: 'origins' },
    { at: ['/reminders'], by: 'pages/reminders.ts#reminderPages' },
    { at: ['/downloads'], by: 'pages/downloads.ts#downloadPages' },
  ],
  publishes: [submit, view],
  secret: { buyer_details: ['email_digests'] },
}
