import type { Declaration } from '../../../src/http/declaration.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace/audit-events'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 25,
      name: 'Audit events',
      description:
        'Who changed what in your workspace: one audit event for each change that succeeded, by API keys, members, buyers and the service itself. They are never changed or deleted, and form a chain: the `digest` of an audit event covers its content and the digest before it.',
    },
  ],
  // Every run starts it: an index by what is not anchored yet would cost each publish more than it saves a run.
  jobs: { audit: { at: 170, runs: 'anchor.ts#anchorAudit' } },
  appendOnly: ['audit_events', 'audit_event_objects'],
  personalData: {
    audit_events: {
      columns: [
        {
          names: ['objects'],
          fate: 'kept',
          why: 'they are ids only, so the chain of digests stays as it is',
        },
      ],
      impersonal: 'operation actor_type actor_id request_id digest',
    },
  },
  lookedUp: ['audit_events', 'audit_event_objects', 'audit_heads'],
}
