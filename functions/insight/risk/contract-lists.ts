import * as z from 'zod'
import { riskListEffects, riskListItems, riskListKinds, riskLists } from '../../../drizzle/schema/risk.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { freeText, one, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'
import {
  Author,
  deciding,
  exampleAuthor,
  ofSession,
  proven,
  reading,
  workspaceOfSession,
} from './contract.ts'

const path = '/v1/intelligence/lists'
const ofList = { params: z.strictObject({ id: uuid }), notFound: 'risk_list_not_found' } as const
const ofItem = { params: z.strictObject({ id: uuid }), notFound: 'risk_list_item_not_found' } as const
const ofTenant = z.strictObject({ tenant_id: tenantId })
const ofWorkspace = { tenant_id: workspaceOfSession }

const fields = {
  name: freeText(120).trim().min(1).describe('Your own name for it.'),
  kind: z
    .enum(riskListKinds)
    .describe(
      'What its values are. `masked_card`: its first six and last four digits, `424242******4242`. `bin`: its first six digits. `email`: an address, with what follows a plus sign left out. `email_domain`: `example.com`. `customer`: the id of a customer of yours.',
    ),
  effect: z
    .enum(riskListEffects)
    .describe(
      'What it does by itself. `block`: who is in it pays by no card, whatever else holds. `allow`: your rules do not count for them; whose address or customer it is, is what the buyer typed. `review`: what they pay by card on a page is reviewed by a person. `none`: only rules ask it.',
    ),
}

const RiskList = shown('risk_list', {
  ...fields,
  status: z.enum(riskLists.status.enumValues).describe('A deleted list names nobody.'),
  author: Author,
}).meta({ id: 'RiskList' })

const exampleBody = { name: 'Charged back', kind: 'masked_card', effect: 'block' } as const
const exampleList = exampleOf('risk_list', '0190a6d2-7c3e-7b1a-9f00-000000000151', {
  ...exampleBody,
  status: 'active',
  author: exampleAuthor,
})

export const createList = contract({
  ...deciding,
  id: 'risk_lists.create',
  path,
  location: `${path}/:id?tenant_id=:tenant_id`,
  summary: 'Create a list',
  description:
    'Cards, addresses or customers that you name. The step-up proof has the action `risk_list.create` and the scope `policies:write`; its params_hash is over {name, kind, effect}.',
  access: proven('risk_list.create'),
  tables: ['risk_lists'],
  versioned: true,
  body: z.strictObject({ tenant_id: tenantId, ...fields }),
  reply: { status: 201, schema: RiskList },
  errors: [...ofSession, 'risk_limit_reached'],
  example: { body: { tenant_id: 'tn_demo', ...exampleBody }, reply: exampleList },
})

export const lists = contract({
  ...reading,
  id: 'risk_lists.list',
  path,
  summary: 'List lists',
  ...paged(RiskList, exampleList, ofWorkspace),
})

export const getList = contract({
  ...reading,
  id: 'risk_lists.get',
  path: `${path}/:id`,
  summary: 'Get a list',
  versioned: true,
  ...one(RiskList, exampleList, 'risk_list_not_found'),
  query: z.strictObject(ofWorkspace),
})

export const deleteList = contract({
  ...deciding,
  ...ofList,
  id: 'risk_lists.delete',
  path: `${path}/:id/delete`,
  summary: 'Delete a list',
  description:
    'At once and for good: it names nobody any more, and no rule finds anything in it. Its values are removed with it, without an event of each.',
  tables: ['risk_lists'],
  versioned: true,
  body: ofTenant,
  reply: { status: 200, schema: RiskList },
  errors: ['risk_list_not_found', ...ofSession, 'risk_list_deleted', 'risk_list_in_use'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...exampleList, status: 'deleted', version: 2 } },
})

/** It shows addresses of buyers. */
const readsPersons = { api_key: { scopes: ['customer_hub:read'] }, session: { role: 'member' } } as const

const reason = freeText(500).trim().min(1)
const value = freeText(254).trim().min(1)

const RiskListItem = shown('risk_list_item', {
  list_id: uuid.describe('The list that it stands in.'),
  value: z
    .string()
    .nullable()
    .describe(
      'The value, as it is compared. It is deleted 30 days after it was removed. Null in replies to changes: these are kept for a time.',
    ),
  reason: z
    .string()
    .nullable()
    .describe('Why it was added, as you said; null where you did not, and in replies to changes.'),
  payment_id: uuid.nullable().describe('The payment whose value it is; null where none was named.'),
  expires_at: timestamp.nullable().describe('When it stops naming anybody; null: it stays.'),
  status: z
    .enum(riskListItems.status.enumValues)
    .describe('A removed value names nobody. One whose time is over is removed within a minute.'),
  author: Author,
}).meta({ id: 'RiskListItem' })

const exampleItem = exampleOf('risk_list_item', '0190a6d2-7c3e-7b1a-9f00-000000000161', {
  list_id: exampleList.id,
  value: '424242******4242',
  reason: 'Chargeback in June',
  payment_id: null,
  expires_at: null,
  status: 'active',
  author: exampleAuthor,
})

export const createItem = contract({
  ...deciding,
  ...ofList,
  id: 'risk_list_items.create',
  path: `${path}/:id/items`,
  location: '/v1/intelligence/list-items/:id?tenant_id=:tenant_id',
  summary: 'Add a value to a list',
  description:
    'The value itself, or a payment that has it: its card, its buyer’s address or its customer. It counts from the next try on. The step-up proof has the action `risk_list_item.create` and the scope `policies:write`; its params_hash is over {list_id: the path id} and, of value, payment_id and expires_at, what the request has.',
  access: proven('risk_list_item.create'),
  tables: ['risk_list_items'],
  versioned: true,
  body: z
    .strictObject({
      tenant_id: tenantId,
      value: value.optional().describe('The value.'),
      payment_id: uuid.optional().describe('Or a payment that has it.'),
      reason: reason.optional().describe('Why, for those who answer a buyer.'),
      expires_at: timestamp.optional().describe('When it stops naming anybody.'),
    })
    .refine(
      (asked) => (asked.value === undefined) !== (asked.payment_id === undefined),
      'must have value or payment_id, and not both',
    ),
  reply: { status: 201, schema: RiskListItem },
  errors: [
    'risk_list_not_found',
    ...ofSession,
    'risk_list_deleted',
    'risk_list_item_exists',
    'risk_value_missing',
    'payment_not_found',
    'customer_not_found',
    'risk_limit_reached',
  ],
  example: {
    body: { tenant_id: 'tn_demo', value: exampleItem.value, reason: exampleItem.reason },
    reply: { ...exampleItem, value: null, reason: null },
  },
})

export const listItems = contract({
  ...reading,
  ...ofList,
  access: readsPersons,
  id: 'risk_list_items.list',
  path: `${path}/:id/items`,
  summary: 'List the values of a list',
  ...paged(RiskListItem, exampleItem, {
    ...ofWorkspace,
    status: z.enum(riskListItems.status.enumValues).optional().describe('Only what has this status.'),
  }),
  errors: ['risk_list_not_found', 'cursor_invalid'],
})

export const getItem = contract({
  ...reading,
  access: readsPersons,
  id: 'risk_list_items.get',
  path: '/v1/intelligence/list-items/:id',
  summary: 'Get a value of a list',
  versioned: true,
  ...one(RiskListItem, exampleItem, 'risk_list_item_not_found'),
  query: z.strictObject(ofWorkspace),
})

export const removeItem = contract({
  ...deciding,
  ...ofItem,
  id: 'risk_list_items.remove',
  path: '/v1/intelligence/list-items/:id/remove',
  summary: 'Remove a value from a list',
  tables: ['risk_list_items'],
  versioned: true,
  body: ofTenant,
  reply: { status: 200, schema: RiskListItem },
  errors: ['risk_list_item_not_found', ...ofSession, 'risk_list_item_removed'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...exampleItem, value: null, reason: null, status: 'removed', version: 2 },
  },
})

/** Removes values whose time is over. */
export const expire = {
  id: 'risk_list_items.expire',
  access: { system: {} },
  tables: ['risk_list_items'],
} as const
