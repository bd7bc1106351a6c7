import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A notice waits until a mail to each owner of its workspace is in the outbox. */
export const mailNoticeLifecycle = lifecycle({
  resource: 'mail_notices',
  initial: ['waiting'],
  moves: { hand_over: { from: ['waiting'], to: 'handed_over' } },
})

/** A mail to a named recipient waits until the provider has taken it. The database drops one that is too many; one of a
 * workspace without a confirmed owner is dropped when it is due. */
export const outgoingMailLifecycle = lifecycle({
  resource: 'outgoing_mails',
  initial: ['waiting', 'dropped'],
  moves: {
    send: { from: ['waiting'], to: 'sent' },
    give_up: { from: ['waiting'], to: 'given_up' },
    suppress: { from: ['waiting'], to: 'suppressed' },
    drop: { from: ['waiting'], to: 'dropped' },
  },
})

/** Only one for a hard bounce is lifted: the others are what a person wants. */
export const mailSuppressionLifecycle = lifecycle({
  resource: 'mail_suppressions',
  initial: ['active'],
  moves: { lift: { from: ['active'], to: 'lifted' } },
})
