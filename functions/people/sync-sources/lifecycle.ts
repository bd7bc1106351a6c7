import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** `created` until its first records come, `connecting` until the first slice of its first run is there. */
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

/** A pushed batch is over as soon as it is there; a run that reads its records proceeds in slices. */
export const syncRunLifecycle = lifecycle({
  resource: 'sync_runs',
  initial: ['queued', 'succeeded', 'partial', 'failed'],
  moves: {
    begin: { from: ['queued'], to: 'running' },
    pause: { from: ['queued', 'running'], to: 'paused' },
    resume: { from: ['paused'], to: 'queued' },
    succeed: { from: ['queued', 'running'], to: 'succeeded' },
    end: { from: ['queued', 'running'], to: 'partial' },
    fail: { from: ['queued', 'running'], to: 'failed' },
    cancel: { from: ['queued', 'running', 'paused'], to: 'canceled' },
  },
})

/** An uploaded file: its row comes before it and outlives it, so that no file is forgotten. */
export const syncFileLifecycle = lifecycle({
  resource: 'sync_files',
  initial: ['uploading'],
  moves: {
    store: { from: ['uploading'], to: 'stored' },
    replace: { from: ['stored'], to: 'replaced' },
    remove: { from: ['uploading', 'stored', 'replaced'], to: 'removing' },
    removed: { from: ['removing'], to: 'removed' },
  },
})
