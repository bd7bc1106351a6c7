import * as z from 'zod'
import { deliveredKinds } from '../../../drizzle/schema/entitlements.ts'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { freeText, listed, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { entitlementLifecycle } from './lifecycle.ts'

export const path = '/v1'
const tag = 'Entitlements'
export const reading = { ...reads, tag, access: { api_key: { scopes: ['digital_catalog:read'] } } } as const
export const writing = { ...writes, tag, access: { api_key: { scopes: ['digital_catalog:write'] } } } as const

export const itemId = uuid.describe('The item; a variant is an item of its own.')
export const times = { version: z.int().min(1), created_at: timestamp, updated_at: timestamp }

const Entitlement = z
  .strictObject({
    id: uuid,
    object: z.literal('entitlement'),
    status: z
      .enum(statusesOf(entitlementLifecycle))
      .describe(
        'The buyer has what is `active`. `pending` is paid and waits for its key or code; `revoked` was taken back.',
      ),
    item_id: itemId,
    payment_id: uuid
      .nullable()
      .describe('The payment that granted it; null: a session that cost nothing did.'),
    checkout_session_id: uuid
      .nullable()
      .describe('The checkout session that cost nothing and granted it; null: a payment did.'),
    kind: z.enum(deliveredKinds).describe('What the buyer gets: the kind of the item.'),
    number: z
      .int()
      .min(1)
      .describe('Number among the entitlements of one payment or session, and item; the first is 1.'),
    code_last4: z
      .string()
      .nullable()
      .describe('The last characters of its key or code, which only the buyer’s receipt shows whole.'),
    downloads_max: z
      .int()
      .nullable()
      .describe('How often the buyer may download each file; null: as often as wanted.'),
    downloads_count: z.int().min(0).describe('How often files of it were downloaded, all of them together.'),
    expires_at: timestamp.nullable().describe('The buyer has it until this time; null: without an end.'),
    revocation_policy: z
      .enum(['full_refund', 'any_refund', 'never'])
      .describe('Which refund takes it back: the item’s policy when it was paid.'),
    ready_at: timestamp.nullable().describe('When the buyer could have it first.'),
    redeemed_at: timestamp.nullable().describe('When a voucher was redeemed.'),
    revoked_at: timestamp.nullable().describe('When it was taken back.'),
    revoked_because: z
      .enum(['refund', 'dispute', 'merchant'])
      .nullable()
      .describe('Why it was taken back: a refund, a dispute that was lost, or you did it.'),
    ...times,
  })
  .meta({ id: 'Entitlement' })

export const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000091',
  object: 'entitlement',
  status: 'active',
  item_id: '0190a6d2-7c3e-7b1a-9f00-000000000071',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000011',
  checkout_session_id: null,
  kind: 'voucher',
  number: 1,
  code_last4: 'X7QD',
  downloads_max: null,
  downloads_count: 0,
  expires_at: null,
  revocation_policy: 'full_refund',
  ready_at: '2026-06-13T12:00:00.000Z',
  redeemed_at: null,
  revoked_at: null,
  revoked_because: null,
  version: 2,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

export const list = contract({
  ...reading,
  id: 'entitlements.list',
  path: `${path}/entitlements`,
  summary: 'List entitlements',
  description: 'What buyers have by their payments, and by orders that cost nothing.',
  ...paged(Entitlement, example, {
    payment_id: uuid.optional().describe('Only those of this payment.'),
    checkout_session_id: uuid.optional().describe('Only those of this checkout session, which cost nothing.'),
    item_id: uuid.optional().describe('Only those of this item.'),
    status: Entitlement.shape.status.optional().describe('Only what has this status.'),
  }),
})

const ofEntitlement = { ...one(Entitlement, example, 'entitlement_not_found'), versioned: true } as const

export const get = contract({
  ...reading,
  ...ofEntitlement,
  id: 'entitlements.get',
  path: `${path}/entitlements/:id`,
  summary: 'Get an entitlement',
})

const changing = { ...writing, ...ofEntitlement, tables: ['entitlements'] } as const
const revoked = {
  ...example,
  status: 'revoked',
  revoked_at: '2026-06-14T12:00:00.000Z',
  revoked_because: 'merchant',
  version: 3,
}

export const revoke = contract({
  ...changing,
  id: 'entitlements.revoke',
  path: `${path}/entitlements/:id/revoke`,
  summary: 'Revoke an entitlement',
  description:
    'The buyer’s receipt no longer shows its key, code or files. Refunds and lost disputes revoke by the item’s policy without you.',
  errors: ['entitlement_not_found', 'entitlement_not_active'],
  example: { reply: revoked },
})

export const reinstate = contract({
  ...changing,
  id: 'entitlements.reinstate',
  path: `${path}/entitlements/:id/reinstate`,
  summary: 'Reinstate an entitlement',
  description:
    'The buyer has it again, with the same key or code. What a refund or a lost dispute took back stays so.',
  errors: ['entitlement_not_found', 'entitlement_not_revoked', 'entitlement_taken_back'],
  example: { reply: { ...example, version: 4 } },
})

export const redeem = contract({
  ...writing,
  id: 'entitlements.redeem',
  path: `${path}/redemptions`,
  summary: 'Redeem a voucher',
  description:
    'Once for each voucher. Case, spaces and dashes of the code do not matter, and O counts as 0, I and L as 1.',
  tables: ['entitlements'],
  body: z.strictObject({
    code: freeText(40).min(1).describe('The code as the buyer shows it: `7D2K-M9QX-0RTB-X7QD`.'),
  }),
  reply: { status: 200, schema: Entitlement },
  errors: [
    'entitlement_code_not_found',
    'entitlement_not_active',
    'entitlement_redeemed',
    'entitlement_expired',
  ],
  example: {
    body: { code: '7D2K-M9QX-0RTB-X7QD' },
    reply: { ...example, redeemed_at: '2026-06-20T18:00:00.000Z', version: 3 },
  },
})

export const downloadMinutes = 60

export const files = contract({
  ...reading,
  id: 'entitlements.list_downloads',
  path: `${path}/entitlements/:id/downloads`,
  params: z.strictObject({ id: uuid }),
  notFound: 'entitlement_not_found',
  summary: 'List the downloads of an entitlement',
  description: `Addresses for the buyer, each valid for ${downloadMinutes} minutes. The buyer’s receipt has them too. A file that was downloaded as often as the item allows is left out.`,
  ...listed(
    z
      .strictObject({
        id: uuid.describe('The id of the file.'),
        object: z.literal('download'),
        name: z.string().describe('The name under which the buyer saves it.'),
        bytes: z.int().describe('How large it is, in bytes.'),
        url: z.url().describe('Where the buyer downloads it.'),
        expires_at: timestamp.describe('The address is valid until this time.'),
      })
      .meta({ id: 'Download' }),
    {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000093',
      object: 'download',
      name: 'Recetario.pdf',
      bytes: 1_482_113,
      url: 'https://pay.spindle.example/downloads/scat_4k7m2q9x1c5v8b3n6h0j4d7f2g5s8a1l/eyJmIjoiMSJ9',
      expires_at: '2026-06-13T13:00:00.000Z',
    },
  ),
  errors: ['entitlement_not_found', 'entitlement_not_active', 'entitlement_expired', 'downloads_used_up'],
})

/** Makes codes, and publishes what triggers changed. */
export const issue = { id: 'entitlements.issue', access: { system: {} }, tables: ['entitlements'] } as const
/** A buyer's download, by the public id of the item's catalog. */
export const download = {
  id: 'entitlements.download',
  access: { public_id: {} },
  tables: ['entitlements', 'entitlement_downloads'],
} as const
