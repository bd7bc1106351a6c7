import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** `expired`: its file is removed; its rows can still be read. */
export const reportRunLifecycle = lifecycle({
  resource: 'report_runs',
  initial: ['queued'],
  moves: {
    begin: { from: ['queued'], to: 'running' },
    succeed: { from: ['queued', 'running'], to: 'succeeded' },
    fail: { from: ['queued', 'running'], to: 'failed' },
    cancel: { from: ['queued', 'running'], to: 'canceled' },
    expire: { from: ['succeeded'], to: 'expired' },
  },
})

export const reportScheduleLifecycle = lifecycle({
  resource: 'report_schedules',
  initial: ['active'],
  moves: {
    pause: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    delete: { from: ['active', 'paused'], to: 'deleted' },
  },
})

export const reportDeliveryLifecycle = lifecycle({
  resource: 'report_deliveries',
  initial: ['waiting'],
  moves: {
    mail: { from: ['waiting'], to: 'mailed' },
    withhold: { from: ['waiting'], to: 'withheld' },
  },
})
