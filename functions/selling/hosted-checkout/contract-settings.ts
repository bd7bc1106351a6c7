import * as z from 'zod'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { freeText, timestamp, uuid } from '../../../src/http/schemas.ts'

const path = '/v1/hosted-checkout'
const tag = 'Hosted checkout'
export const returnOriginsMax = 50

const reading = { ...reads, tag, access: { api_key: { scopes: ['hosted_checkout:read'] } } } as const
const writing = { ...writes, tag, access: { api_key: { scopes: ['hosted_checkout:write'] } } } as const

const origin = freeText(255)
  .toLowerCase()
  .refine(isOrigin, 'must be an origin, like https://tienda.example')
  .meta({ pattern: '^(https://[a-z0-9.-]+|http://localhost)(:[0-9]{1,5})?$' })

/** As a browser writes it: a port of its own only where it is not the scheme's. */
function isOrigin(text: string): boolean {
  const labels =
    /^(?:https:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?|http:\/\/localhost)(?::\d{1,5})?$/
  return labels.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const CheckoutSettings = z
  .strictObject({
    id: uuid.nullable().describe('Null before they were set.'),
    object: z.literal('checkout_settings'),
    return_origins: z.array(z.string()).describe('The origins that buyers may be sent back to.'),
    version: z.int().min(0),
    updated_at: timestamp.nullable().describe('When they were set; null before.'),
  })
  .meta({ id: 'CheckoutSettings' })

const exampleSettings = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000082',
  object: 'checkout_settings',
  return_origins: ['https://tienda.example'],
  version: 1,
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

export const getSettings = contract({
  ...reading,
  id: 'checkout_settings.get',
  path: `${path}/settings`,
  summary: 'Get the settings of checkouts',
  reply: { status: 200, schema: CheckoutSettings },
  errors: [],
  example: { reply: exampleSettings },
})

export const putSettings = contract({
  ...writing,
  id: 'checkout_settings.put',
  method: 'PUT',
  path: `${path}/settings`,
  summary: 'Set the settings of checkouts',
  description: 'In the sandbox `http://localhost` with a port is an origin too.',
  tables: ['checkout_settings'],
  idempotency: 'optional',
  body: z.strictObject({
    return_origins: z
      .array(origin)
      .max(returnOriginsMax)
      .refine((list) => new Set(list).size === list.length, 'must not name an origin twice')
      .describe(
        'The origins that buyers may be sent back to, and that may show embedded checkouts: scheme and host, without a path.',
      ),
  }),
  reply: { status: 200, schema: CheckoutSettings },
  errors: [],
  example: { body: { return_origins: ['https://tienda.example'] }, reply: exampleSettings },
})
