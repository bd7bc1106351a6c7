import type { Declaration } from '../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  tags: [
    {
      at: 20,
      name: 'Workspaces',
      description: 'A workspace is a business: what it owns is kept apart from everybody else’s.',
    },
  ],
  events: {
    workspace: {
      scopes: ['workspace:read'],
      shownBy: 'workspace.get',
      types: { updated: { says: 'The workspace was changed.', trigger: 'workspace.update' } },
    },
  },
  lookedUp: ['memberships', 'tenants'],
  errors,
  samples: { 'workspace.update': { other: { name: 'Another' } } },
  constraints: {
    workspace_suspended: { code: 'workspace_suspended' },
    workspace_closed: { code: 'workspace_closed' },
    tenants_pkey: { code: 'workspace_exists' },
  },
}
