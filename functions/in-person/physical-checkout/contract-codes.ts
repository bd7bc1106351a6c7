import * as z from 'zod'
import { registerCodes } from '../../../drizzle/schema/physical-checkout.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { codeLifecycle } from './lifecycle.ts'

export const tag = 'Physical Checkout'
export const path = '/v1/physical-checkout'
export const scopes = {
  reads: { api_key: { scopes: ['physical_checkout:read'] } },
  writes: { api_key: { scopes: ['physical_checkout:write'] } },
} as const

export const registerId = uuid.describe('The register.')
export const exampleRegisterId = '0190a6d2-7c3e-7b1a-9f00-000000000301'

/** How many codes of a workspace are active at most: drizzle/sql/059_physical_checkout.sql counts them. */
export const codesMost = 5_000

const purpose = z
  .enum(registerCodes.purpose.enumValues)
  .describe(
    '`printed`: buyers scan it at the counter, and it leads to the order that the register shows. `display`: a screen that faces the buyers opens it; it shows that order with its own code, and follows the register by itself.',
  )
const status = z.enum(statusesOf(codeLifecycle)).describe('`revoked` ones lead to nothing.')

const Code = shown('register_code', {
  public_id: z.string().describe('What its address ends in.'),
  url: z.string().describe('Its address. It stays the same.'),
  status,
  register_id: registerId,
  purpose,
}).meta({ id: 'RegisterCode' })

const exampleCode = exampleOf('register_code', '0190a6d2-7c3e-7b1a-9f00-000000000302', {
  public_id: 'sreg_q4m8x2c7v1b9n3k6j5h0g8f4d2s7a1p9',
  url: 'https://pay.example.com/r/sreg_q4m8x2c7v1b9n3k6j5h0g8f4d2s7a1p9',
  status: 'active',
  register_id: exampleRegisterId,
  purpose: 'printed',
})

const codes = resource({
  tag,
  path: `${path}/codes`,
  ...scopes,
  tables: ['register_codes'],
  notFound: 'register_code_not_found',
  versioned: true,
  schema: Code,
  example: exampleCode,
})

export const create = codes.create({
  id: 'register_codes.create',
  summary: 'Make a code of a register',
  description:
    'Buyers scan the printed one; a screen opens the one of a display. A register may have several of each. The address of a display shows what is sold there to everybody who has it: revoke one that was seen too far.',
  tables: ['devices', 'register_codes'],
  body: z.strictObject({ register_id: registerId, purpose }),
  errors: ['device_not_found', 'device_disabled', 'location_archived', 'register_code_limit_reached'],
  example: { register_id: exampleRegisterId, purpose: 'printed' },
})

export const list = codes.list({
  id: 'register_codes.list',
  summary: 'List codes of registers',
  filters: { register_id: uuid.optional().describe('Only those of this register.') },
})

export const get = codes.get({ id: 'register_codes.get', summary: 'Get a code of a register' })

export const revoke = codes.move('revoke', {
  id: 'register_codes.revoke',
  summary: 'Revoke a code of a register',
  description: 'Its address leads to nothing after that.',
  errors: ['register_code_revoked'],
  example: { status: 'revoked', version: 2 },
})

export const qrSvg = contract({
  ...codes.reading,
  params: z.strictObject({ id: uuid }),
  notFound: 'register_code_not_found',
  id: 'register_codes.qr_svg',
  method: 'GET',
  path: `${path}/codes/:id/qr.svg`,
  summary: 'Get a code of a register as SVG',
  description:
    'For print: it scales to any size and stays the same. Black on white with the border that scanners need.',
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'image/svg+xml', name: 'register.svg' },
  errors: ['register_code_not_found'],
  example: { reply: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"></svg>' },
})

/** What any holder of a register's address may read. */
export const view = { id: 'register_codes.view', access: { public_id: {} }, tables: [] } as const
