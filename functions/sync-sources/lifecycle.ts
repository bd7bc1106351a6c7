import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** `created` until its first records come, `connecting` while it is asked whether it answers. */
export const syncSourceLifecycle = lifecycle({
  resource: 'sync_sources',
  initial: ['created'],
  moves: {
    connect: { from: ['created', 'error'], to: 'connecting' },
    activate: { from: ['created', 'connecting', 'error', 'paused'], to: 'active' },
    pause: { from: ['created', 'connecting', 'active', 'error'], to: 'paused' },
    fail: { from: ['connecting', 'active'], to: 'error' },
    disconnect: { from: ['created', 'connecting', 'active', 'paused', 'error'], to: 'disconnected' },
  },
})

/** A pushed batch is over as soon as it is there. */
export const syncRunLifecycle = lifecycle({
  resource: 'sync_runs',
  initial: ['queued', 'succeeded', 'partial', 'failed'],
  moves: {
    begin: { from: ['queued'], to: 'running' },
    succeed: { from: ['running'], to: 'succeeded' },
    end: { from: ['running'], to: 'partial' },
    fail: { from: ['queued', 'running'], to: 'failed' },
  },
})
