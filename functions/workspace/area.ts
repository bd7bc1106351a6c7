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
  lookedUp: ['memberships', 'tenants'],
  errors,
  constraints: {
    tenants_pkey: { code: 'workspace_exists' },
  },
}
