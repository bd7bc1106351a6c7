import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { freeText, one, paged, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { example, itemId, path, reading, times, writing } from './contract.ts'
import { keyLifecycle } from './lifecycle.ts'

const LicenseKey = z
  .strictObject({
    id: uuid,
    object: z.literal('license_key'),
    item_id: itemId,
    status: z
      .enum(statusesOf(keyLifecycle))
      .describe('`available` to be sold, `assigned` to a buyer, or `withdrawn` by you.'),
    last4: z.string().describe('Its last characters; the whole key is shown to its buyer alone.'),
    entitlement_id: uuid.nullable().describe('The entitlement that it belongs to.'),
    ...times,
  })
  .meta({ id: 'LicenseKey' })

const at = { created_at: example.created_at, updated_at: example.updated_at }
const exampleKey = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000092',
  object: 'license_key',
  item_id: example.item_id,
  status: 'available',
  last4: '9F2C',
  entitlement_id: null,
  version: 1,
  ...at,
} as const

export const keysMax = 500

export const addKeys = contract({
  ...writing,
  id: 'license_keys.add',
  path: `${path}/license-keys`,
  summary: 'Add license keys to a pool',
  description: `Up to ${keysMax} at once, for an item of the kind \`license_key\` with \`keys: pool\`. Keys that the pool has already are left out. Buyers who wait for a key get theirs at once. Spindle keeps keys encrypted and does not show them to you again.`,
  tables: ['license_keys'],
  bodyKiBMax: 256,
  body: z.strictObject({
    item_id: itemId,
    keys: z
      .array(freeText(200).trim().min(4))
      .min(1)
      .max(keysMax)
      .describe('The keys as the buyers will read them.'),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('license_key_batch'),
        item_id: itemId,
        added: z.int().min(0).describe('How many keys were added.'),
        known: z.int().min(0).describe('How many the pool had already, or the request had twice.'),
      })
      .meta({ id: 'LicenseKeyBatch' }),
  },
  errors: ['catalog_item_not_found', 'license_keys_not_pooled'],
  example: {
    body: { item_id: example.item_id, keys: ['JX2M-4T9C-9F2C', 'JX2M-77QD-A31B'] },
    reply: { object: 'license_key_batch', item_id: example.item_id, added: 2, known: 0 },
  },
})

export const listKeys = contract({
  ...reading,
  id: 'license_keys.list',
  path: `${path}/license-keys`,
  summary: 'List license keys',
  ...paged(LicenseKey, exampleKey, {
    item_id: uuid.optional().describe('Only those of this item.'),
    status: LicenseKey.shape.status.optional().describe('Only what has this status.'),
  }),
})

const ofKey = { ...one(LicenseKey, exampleKey, 'license_key_not_found'), versioned: true } as const

export const getKey = contract({
  ...reading,
  ...ofKey,
  id: 'license_keys.get',
  path: `${path}/license-keys/:id`,
  summary: 'Get a license key',
  description: 'What is known of it, not the key itself.',
})

export const withdrawKey = contract({
  ...writing,
  ...ofKey,
  id: 'license_keys.withdraw',
  path: `${path}/license-keys/:id/withdraw`,
  summary: 'Withdraw a license key',
  description: 'It is not sold any more.',
  tables: ['license_keys'],
  errors: ['license_key_not_found', 'license_key_not_available'],
  example: { reply: { ...exampleKey, status: 'withdrawn', version: 2 } },
})

const DeliveredFile = z
  .strictObject({
    id: uuid,
    object: z.literal('delivered_file'),
    item_id: itemId,
    status: z.enum(['stored', 'removed']).describe('Buyers download what is `stored`.'),
    name: z.string().describe('The name under which buyers save it.'),
    bytes: z.int().describe('How large it is, in bytes.'),
    ...times,
  })
  .meta({ id: 'DeliveredFile' })

const exampleFile = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000093',
  object: 'delivered_file',
  item_id: example.item_id,
  status: 'stored',
  name: 'Recetario.pdf',
  bytes: 9,
  version: 2,
  ...at,
} as const

/** The folder of the bucket. Nothing serves it but downloads. */
export const deliveredFolder = 'delivered-files'
export const filesMax = 20
export const fileBytesMax = 8 * 1024 * 1024

export const addFile = contract({
  ...writing,
  id: 'delivered_files.add',
  path: `${path}/delivered-files`,
  location: `${path}/delivered-files/:id`,
  versioned: true,
  summary: 'Add a file that buyers download',
  description: `Up to 8 MiB, of any type; an item of the kind \`file\` has up to ${filesMax}. Only who bought the item can download it. Who bought it before gets it too.`,
  tables: ['delivered_files'],
  bodyKiBMax: 11_300,
  body: z.strictObject({
    item_id: itemId,
    name: freeText(120)
      .trim()
      .min(1)
      .regex(/^[^/\\:*?"<>|]+$/, 'must be a file’s name, without / \\ : * ? " < > |')
      .describe('The name under which buyers save it: `Recetario.pdf`.'),
    content: z.base64('must be base64').describe('The file’s bytes in base64.'),
  }),
  reply: { status: 201, schema: DeliveredFile },
  errors: [
    'catalog_item_not_found',
    'delivered_file_item_unsuitable',
    'delivered_files_too_many',
    'delivered_file_empty',
    'delivered_file_too_large',
  ],
  example: {
    body: { item_id: example.item_id, name: 'Recetario.pdf', content: 'JVBERi0xLjcK' },
    reply: exampleFile,
  },
})

export const listFiles = contract({
  ...reading,
  id: 'delivered_files.list',
  path: `${path}/delivered-files`,
  summary: 'List the files that buyers download',
  ...paged(DeliveredFile, exampleFile, {
    item_id: uuid.optional().describe('Only those of this item.'),
  }),
})

const ofFile = { ...one(DeliveredFile, exampleFile, 'delivered_file_not_found'), versioned: true } as const

export const getFile = contract({
  ...reading,
  ...ofFile,
  id: 'delivered_files.get',
  path: `${path}/delivered-files/:id`,
  summary: 'Get a file that buyers download',
  description: 'What is known of it, not its content.',
})

export const removeFile = contract({
  ...writing,
  ...ofFile,
  id: 'delivered_files.remove',
  method: 'DELETE',
  idempotency: 'optional',
  path: `${path}/delivered-files/:id`,
  summary: 'Remove a file that buyers download',
  description: 'Buyers can no longer download it, including those who bought it before.',
  tables: ['delivered_files'],
  example: { reply: { ...exampleFile, status: 'removed', version: 3 } },
})

/** Removes the files of removed rows. */
export const removal = {
  id: 'delivered_files.clear',
  access: { system: {} },
  tables: ['delivered_files'],
} as const
