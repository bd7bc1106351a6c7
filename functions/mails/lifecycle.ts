import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** A notice waits until a mail to each owner of its workspace is in the outbox. */
export const mailNoticeLifecycle = lifecycle({
  resource: 'mail_notices',
  initial: ['waiting'],
  moves: { hand_over: { from: ['waiting'], to: 'handed_over' } },
})
