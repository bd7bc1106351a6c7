import * as z from 'zod'
import { environments } from '../../drizzle/schema/columns.ts'
import { contract, decides, reads } from '../../src/http/contract.ts'
import { freeText, listed, tenantId, timestamp } from '../../src/http/schemas.ts'

const Workspace = z
  .strictObject({
    object: z.literal('workspace'),
    tenant_id: tenantId,
    name: z.string().describe('What the business is called.'),
    status: z.enum(['active', 'suspended', 'closed']).describe('Whether it can be used.'),
    environment: z.enum(environments).describe('The environment that it is open in.'),
    role: z.enum(['owner', 'admin', 'member']).describe('What you may do in it.'),
    created_at: timestamp,
  })
  .meta({ id: 'Workspace' })

const example = {
  object: 'workspace',
  tenant_id: 'tn_0123456789abcdef0123456789abcdef',
  name: 'Café Azul',
  status: 'active',
  environment: 'sandbox',
  role: 'owner',
  created_at: '2026-06-13T12:00:00.000Z',
} as const

export const create = contract({
  ...decides,
  id: 'workspaces.create',
  path: '/v1/workspaces',
  tag: 'Workspaces',
  summary: 'Open a workspace',
  description:
    'Opens a workspace in this environment and makes the signed-in customer its owner. To open the same workspace in the other environment, call its base address with the tenant_id.',
  access: { customer: {} },
  tables: ['tenants', 'memberships'],
  body: z.strictObject({
    name: freeText(120).trim().min(1).describe('What the business is called.'),
    tenant_id: tenantId
      .optional()
      .describe(
        'Of a workspace of yours in the other environment, to open it here too; made up when absent.',
      ),
  }),
  reply: { status: 201, schema: Workspace },
  errors: ['workspace_not_found', 'workspace_exists'],
  example: { body: { name: 'Café Azul' }, reply: example },
})

export const list = contract({
  ...reads,
  id: 'workspaces.list',
  path: '/v1/workspaces',
  tag: 'Workspaces',
  summary: 'List your workspaces',
  description: 'All workspaces of the signed-in customer in this environment, oldest first.',
  ...listed(Workspace, example),
  access: { customer: {} },
  errors: [],
})
