import * as z from 'zod'
import { environments } from '../../../drizzle/schema/columns.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { contract, decides, type Publishing, reads } from '../../../src/http/contract.ts'
import { fiscalFields, fiscalInput, regimeFits, regimeMisfit } from '../../../src/http/fiscal.ts'
import {
  cardNumberMessage,
  email,
  freeText,
  listed,
  phone,
  refusals,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { urlContainsCardNumber } from '../../../src/kernel/card-number.ts'
import { isGenericRfc, namesCompanyKind, personOfRfc } from '../../../src/kernel/rfc.ts'
import type { Decision } from './plan-status.ts'

const FiscalProfile = z.strictObject(fiscalFields).meta({ id: 'FiscalProfile' })

const fiscalProfile = z
  .strictObject(
    fiscalInput(
      (rfc) => personOfRfc(rfc) !== null && !isGenericRfc(rfc),
      'must be an RFC of your own, with its check digit',
    ),
  )
  .refine(regimeFits, regimeMisfit)
  .refine(({ rfc, legal_name }) => personOfRfc(rfc) !== 'company' || !namesCompanyKind(legal_name), {
    path: ['legal_name'],
    error: 'must be the name that SAT has: without the kind of company (SA de CV, S de RL)',
  })

const website = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'must be an https address' })
  .max(300)
  .refine(
    (url) => /^https:\/\/[^/?#@\\]+([/?#]|$)/.test(url),
    'must begin with https:// and a domain, without a user name',
  )
  .refine(
    (url) =>
      /^(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i.test(url),
    'must be ASCII: the domain in Punycode, other characters percent-encoded',
  )
  .refine((url) => !urlContainsCardNumber(url), cardNumberMessage)
  .register(refusals, { code: 'card_number_refused' })

const fields = {
  name: freeText(120).trim().min(1).describe('What the business is called; buyers see it.'),
  support_email: email.nullable().describe('Where buyers can write to.'),
  support_phone: phone.nullable().describe('Where buyers can call.'),
  website_url: website.nullable().describe('The business’s own site.'),
}
const fiscalText = 'Whom its invoices are from.'

const workspaceFields = {
  id: uuid,
  object: z.literal('workspace'),
  tenant_id: tenantId,
  ...fields,
  status: z
    .enum(tenants.status.enumValues)
    .describe(
      'Only an `active` one takes new payments. `pending`: not live yet. `in_review`: we look at it before it goes live.',
    ),
  status_reason: z
    .string()
    .nullable()
    .describe('Why we declined, suspended or closed it; null where there is nothing to say.'),
  environment: z.enum(environments).describe('The environment that it is open in.'),
  fiscal_profile: FiscalProfile.nullable().describe(fiscalText),
  version: z.int().min(1),
  created_at: timestamp,
  updated_at: timestamp,
}

const detailsFields = {
  name: fields.name,
  brand_name: freeText(120).trim().min(1).nullable().describe('The name on buyers’ pages; null for `name`.'),
  website_url: fields.website_url,
}

const DetailsChange = z
  .strictObject({
    ...z
      .strictObject({ ...detailsFields, fiscal_profile: FiscalProfile.nullable().describe(fiscalText) })
      .partial().shape,
    requested_at: timestamp.describe('When an owner asked for it.'),
  })
  .meta({ id: 'WorkspaceDetailsChange' })

const Workspace = z
  .strictObject({
    ...workspaceFields,
    details_change: DetailsChange.nullable().describe(
      'What an owner asked to change of a live business; we look at it first. Null where nothing waits.',
    ),
    onboarding: z
      .strictObject({
        status: z
          .enum(['incomplete', 'ready', 'in_review', 'complete'])
          .describe('`ready`: every requirement is met, and an owner may ask to go live.'),
        requirements: z
          .array(
            z.strictObject({
              code: z
                .enum(['support_contact', 'fiscal_profile', 'bank_account'])
                .describe(
                  '`support_contact`: an e-mail address or a phone number for buyers. `fiscal_profile`: whom invoices are from. `bank_account`: a verified one.',
                ),
              satisfied: z.boolean().describe('Whether it is met now.'),
            }),
          )
          .describe('What the workspace needs to go live.'),
      })
      .describe('What is met and what is missing before the workspace can take live payments.'),
  })
  .meta({ id: 'Workspace' })

const OwnWorkspace = z
  .strictObject({
    ...workspaceFields,
    role: z.enum(['owner', 'admin', 'member']).describe('What you may do in it.'),
  })
  .meta({ id: 'OwnWorkspace' })

const exampleTenant = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000041',
  object: 'workspace',
  tenant_id: 'tn_6123456789abcdef0123456789abcdef',
  name: 'Café Azul',
  status: 'active',
  status_reason: null,
  environment: 'sandbox',
  support_email: 'hola@cafeazul.example',
  support_phone: '+525512345678',
  website_url: 'https://cafeazul.example',
  fiscal_profile: {
    rfc: 'EKU9003173C9',
    legal_name: 'ESCUELA KEMPER URGATE',
    tax_regime: '601',
    postal_code: '42501',
  },
  version: 2,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const exampleWorkspace = {
  ...exampleTenant,
  details_change: null,
  onboarding: {
    status: 'complete',
    requirements: [
      { code: 'support_contact', satisfied: true },
      { code: 'fiscal_profile', satisfied: true },
      { code: 'bank_account', satisfied: true },
    ],
  },
} as const

const example = {
  ...exampleTenant,
  support_email: null,
  support_phone: null,
  website_url: null,
  fiscal_profile: null,
  version: 1,
  role: 'owner',
} as const

export const create = contract({
  ...decides,
  id: 'workspaces.create',
  path: '/v1/workspaces',
  tag: 'Workspaces',
  summary: 'Open a workspace',
  description:
    'Opens a workspace in this environment and makes the signed-in customer its owner. In sandbox it takes payments at once; in live it is `pending` until an owner asks to go live and we have reviewed it. To open the same workspace in the other environment, call its base address with the tenant_id.',
  access: { customer: {} },
  tables: ['tenants', 'memberships'],
  body: z.strictObject({
    name: freeText(120).trim().min(1).describe('What the business is called.'),
    tenant_id: tenantId
      .optional()
      .describe(
        'Id of a workspace that you own in the other environment, to open it here too; when absent, a new id.',
      ),
  }),
  reply: { status: 201, schema: OwnWorkspace },
  errors: ['workspace_exists', 'other_environment_unavailable'],
  example: { body: { name: 'Café Azul' }, reply: example },
})

export const list = contract({
  ...reads,
  id: 'workspaces.list',
  path: '/v1/workspaces',
  tag: 'Workspaces',
  summary: 'List your workspaces',
  description: 'All workspaces of the signed-in customer in this environment, oldest first.',
  ...listed(OwnWorkspace, example),
  access: { customer: {} },
  errors: [],
})

export const get = contract({
  ...reads,
  id: 'workspace.get',
  path: '/v1/workspace',
  tag: 'Workspaces',
  summary: 'Get the workspace of the API key',
  access: { api_key: { scopes: ['workspace:read'] } },
  versioned: true,
  showsLive: true,
  reply: { status: 200, schema: Workspace },
  errors: [],
  example: { reply: exampleWorkspace },
})

export const update = contract({
  id: 'workspace.update',
  method: 'PATCH',
  path: '/v1/workspace',
  tag: 'Workspaces',
  summary: 'Change the workspace of the API key',
  description:
    'Fields that are left out stay; `null` empties one. After the change buyers see the new name, in this environment alone. Once a live workspace was handed over to our review, `name`, `website_url` and `fiscal_profile` (and `brand_name` of the branding) change by an owner’s `POST /v1/workspace/details` instead.',
  access: { api_key: { scopes: ['workspace:write'] } },
  tables: ['tenants'],
  rate: 'write',
  versioned: true,
  idempotency: 'optional',
  body: z
    .strictObject({ ...fields, fiscal_profile: fiscalProfile.nullable().describe(fiscalText) })
    .partial()
    .refine((changed) => Object.keys(changed).length > 0, 'must name at least one field'),
  reply: { status: 200, schema: Workspace },
  errors: ['workspace_details_reviewed'],
  example: { body: { support_phone: '+525512345678' }, reply: exampleWorkspace },
})

export const changeDetails = contract({
  ...decides,
  id: 'workspace.change_details',
  path: '/v1/workspace/details',
  tag: 'Workspaces',
  summary: 'Change what buyers and invoices call the business',
  description:
    'Name, brand name, site and fiscal profile. Of a live workspace that we review or have reviewed the change waits in `details_change`: what we reviewed stays in use until we approve the change or decline it; another request replaces one that waits. In sandbox, and before the review, the change holds at once. All owners get a mail, now and when we decide. The step-up proof has the action `workspace.change_details` and the scope `workspace:write`; its params_hash is over the body.',
  access: {
    session: { role: 'owner', stepUp: { action: 'workspace.change_details', scope: 'workspace:write' } },
  },
  tables: ['tenants', 'mail_notices'],
  body: z
    .strictObject({
      tenant_id: tenantId,
      ...z
        .strictObject({ ...detailsFields, fiscal_profile: fiscalProfile.nullable().describe(fiscalText) })
        .partial().shape,
    })
    .refine((changed) => Object.keys(changed).length > 1, 'must name at least one field'),
  reply: { status: 200, schema: Workspace },
  errors: ['workspace_not_found', 'insufficient_role', 'workspace_closed', 'workspace_details_unchanged'],
  example: {
    body: { tenant_id: 'tn_demo', brand_name: 'Azul' },
    reply: {
      ...exampleWorkspace,
      environment: 'live',
      details_change: { brand_name: 'Azul', requested_at: '2026-06-13T12:00:00.000Z' },
    },
  },
})

export const goLive = contract({
  ...decides,
  id: 'workspace.go_live',
  path: '/v1/workspace/go-live',
  tag: 'Workspaces',
  summary: 'Ask to go live',
  description:
    'Asks us to review a workspace that is `pending`: it is `in_review` until we approve it (`active`) or decline it (`pending` again, with a `status_reason`); its owners get a mail and its webhooks an event. Everything can be set up meanwhile, but no payment is taken. All requirements of `onboarding` must be met, and the owner’s own e-mail address must be confirmed. The step-up proof has the action `workspace.go_live` and the scope `workspace:write`; its params_hash is over {tenant_id}.',
  access: {
    session: { role: 'owner', stepUp: { action: 'workspace.go_live', scope: 'workspace:write' } },
  },
  tables: ['tenants'],
  body: z.strictObject({ tenant_id: tenantId }),
  reply: { status: 200, schema: Workspace },
  errors: [
    'workspace_not_found',
    'insufficient_role',
    'workspace_not_pending',
    'workspace_requirements_unmet',
    'email_not_confirmed',
  ],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: {
      ...exampleWorkspace,
      environment: 'live',
      status: 'in_review',
      onboarding: { ...exampleWorkspace.onboarding, status: 'in_review' },
    },
  },
})

/** What operators decide of a workspace, on the command line (local/workspace.ts). */
const byOperator = { access: { operator: {} }, tables: ['tenants', 'mail_notices'] } as const
export const decisions = {
  approve: { ...byOperator, id: 'workspace.approve' },
  decline: { ...byOperator, id: 'workspace.decline' },
  suspend: { ...byOperator, id: 'workspace.suspend' },
  reinstate: { ...byOperator, id: 'workspace.reinstate' },
  close: { ...byOperator, id: 'workspace.close' },
} as const satisfies Readonly<Record<Decision, Publishing>>

/** What operators decide of requested details. */
export const detailsDecisions = {
  approved: { ...byOperator, id: 'workspace.approve_details' },
  declined: { ...byOperator, id: 'workspace.decline_details' },
} as const satisfies Readonly<Record<string, Publishing>>
