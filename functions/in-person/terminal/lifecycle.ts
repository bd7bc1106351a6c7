import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/**
 * The status of a payment in person, read off its action and its payment. `unknown`: the processor has not said how it ended,
 * which is neither a decline nor a success.
 */
export const inPersonStatuses = [
  'created',
  'waiting_device',
  'in_progress',
  'authorized',
  'succeeded',
  'declined',
  'canceled',
  'timed_out',
  'unknown',
] as const
export type InPersonStatus = (typeof inPersonStatuses)[number]

/**
 * What a reader is asked to do. The database moves one that takes a payment with that (drizzle/sql/059_terminal.sql); any
 * other ends by the device's word. `unknown`, of a payment alone: its time is over and the processor has not said how it
 * ended; the reader is free.
 */
export const readerActionLifecycle = lifecycle({
  resource: 'reader_actions',
  initial: ['in_progress'],
  moves: {
    succeed: { from: ['in_progress', 'unknown'], to: 'succeeded' },
    fail: { from: ['in_progress', 'unknown'], to: 'failed' },
    cancel: { from: ['in_progress', 'unknown'], to: 'canceled' },
    time_out: { from: ['in_progress', 'unknown'], to: 'timed_out' },
    lose: { from: ['in_progress'], to: 'unknown' },
  },
})

/** The status of a stored payment that was taken. */
export const offlineStatuses = ['forwarding', 'succeeded', 'declined', 'canceled', 'unknown'] as const
export type OfflineStatus = (typeof offlineStatuses)[number]
