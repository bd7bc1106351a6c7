import type { Declaration } from '../../../src/http/declaration.ts'
import { decisions, detailsDecisions } from './contract.ts'
import { errors } from './errors.ts'
import { workspaceLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

const byOperator = 'we decide it'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace', '/v1/workspaces'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 20,
      name: 'Workspaces',
      description: 'A workspace is a business: what it owns is kept apart from everybody else’s.',
    },
  ],
  publishes: [...Object.values(decisions), ...Object.values(detailsDecisions)],
  lifecycles: [workspaceLifecycle],
  events: {
    workspace: {
      scopes: ['workspace:read'],
      shownBy: 'workspace.get',
      types: {
        updated: { says: 'The workspace was changed.', trigger: 'workspace.update' },
        review_requested: {
          says: 'An owner asked to go live.',
          unmade: 'in sandbox a workspace is active from its beginning',
        },
        activated: { says: 'We approved the workspace: it takes payments.', unmade: byOperator },
        review_declined: {
          says: 'We did not approve the workspace; `status_reason` says why.',
          unmade: byOperator,
        },
        suspended: {
          says: 'We suspended the workspace: no new payments, and payouts and transfers are held.',
          unmade: byOperator,
        },
        reinstated: { says: 'A suspended workspace takes payments again.', unmade: byOperator },
        closed: { says: 'We closed the workspace: no new payments.', unmade: byOperator },
        details_change_requested: {
          says: 'An owner asked to change the name, brand name, site or fiscal profile of a live workspace; `details_change` has them.',
          unmade: 'in sandbox such a change holds at once',
        },
        details_change_declined: {
          says: 'We declined the requested details: those that we reviewed stay.',
          unmade: byOperator,
        },
      },
    },
  },
  lookedUp: ['memberships', 'tenants'],
  nouns: { workspace: 'workspace' },
  mails,
  errors,
  samples: {
    'workspace.update': { other: { name: 'Another' } },
    'workspace.change_details': { other: { brand_name: 'Another' } },
  },
  constraints: {
    workspace_pending: { code: 'workspace_not_live' },
    workspace_in_review: { code: 'workspace_not_live' },
    workspace_suspended: { code: 'workspace_suspended' },
    workspace_closed: { code: 'workspace_closed' },
    tenants_pkey: { code: 'workspace_exists' },
    tenants_details_reviewed: { code: 'workspace_details_reviewed' },
  },
}
