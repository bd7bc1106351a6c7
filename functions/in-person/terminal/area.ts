import type { Declaration } from '../../../src/http/declaration.ts'
import { settle } from './contract.ts'
import { errors } from './errors.ts'
import { readerActionLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  // The operations of devices and of Tap to Pay too: a path belongs to one area.
  routes: [
    {
      at: ['/v1/terminal', '/v1/tap-to-pay', '/v1/in-person-payments', '/v1/device'],
      by: 'index.ts#operations',
      reads: 'operations-read.ts#operations',
    },
  ],
  tags: [
    {
      at: 79,
      name: 'In-person Payments',
      description:
        'What devices were asked to take, whatever the device. Each has a payment, which says whether money came.',
    },
  ],
  nouns: { actions: 'action', 'in-person-payments': 'payment in person' },
  publishes: [settle],
  jobs: {
    // After the attempts, so that what the processor answers at the deadline ends the action.
    reader_actions: {
      at: 12,
      runs: 'operations.ts#settleActions',
      table: 'reader_actions',
      due: `d.announced_at is null or (d.status = 'in_progress' and d.expires_at <= $1)`,
      firstBy: 'expires_at',
    },
  },
  lookedUp: ['in_person_payments', 'reader_actions'],
  personalData: {
    reader_actions: {
      columns: [
        {
          names: ['answers'],
          fate: 'emptied',
          why: 'what a buyer gave at a reader, under no name, is emptied a day later, whether a person is erased or not',
          withheld: 'they name no customer, and are there for a day',
        },
      ],
      impersonal: 'offers cart inputs',
    },
  },
  kinds: {
    in_person_payment: {
      table: 'in_person_payments',
      hasPublicIds: true,
      hasMetadata: true,
      origin: 'origin.ts#inPersonOrigin',
      facts: 'facts.ts#inPerson',
    },
  },
  deadlines: [
    { table: 'reader_actions', columns: ['expires_at'], while: "status = 'in_progress'" },
    { table: 'reader_actions', columns: ['answers_until'], while: 'answers is not null' },
  ],
  lifecycles: [readerActionLifecycle],
  events: {
    reader_action: {
      scopes: ['terminal:read', 'tap_to_pay:read'],
      shownBy: 'reader_actions.get',
      leaveOut: ['answers'],
      types: {
        created: 'A reader was asked to do something.',
        succeeded: 'A reader has taken a payment, or done what else it was asked.',
        failed: 'The card at a reader was declined, or the reader could not do what it was asked.',
        canceled: 'An action of a reader was canceled, of a payment before a card was read.',
        timed_out: 'No card was presented at a reader in time, or nothing else done.',
        unknown: 'The time of a reader’s action is over and the processor has not said how it ended.',
      },
    },
  },
  errors,
  constraints: {
    reader_actions_one: { code: 'reader_busy' },
    reader_actions_tip_once: { code: 'reader_tip_used', param: 'tip_action_id' },
    reader_actions_tip_chosen: { code: 'reader_tip_not_usable', param: 'tip_action_id' },
    // Asked again, it finds the first.
    in_person_payments_reference: 'stale',
  },
}
