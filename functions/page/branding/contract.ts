import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { freeText, textOf, timestamp, uuid } from '../../../src/http/schemas.ts'

const color = textOf(/^#[0-9a-f]{6}$/i, 'must be a color like #0d6a5f')
  .toLowerCase()
  .nullable()

const fields = {
  brand_name: freeText(120)
    .trim()
    .min(1)
    .nullable()
    .describe('The name that buyers see; null for the workspace’s own.'),
  primary_color: color.describe('The color of buttons, as `#rrggbb`; null for ours.'),
  button_text_color: color.describe(
    'Of the text on buttons; null for white or black, whichever can be read. The contrast is at least 4.5:1.',
  ),
  background_color: color.describe(
    'The background of pages in light mode; null for ours. The contrast to our gray text is at least 4.5:1, so it is light.',
  ),
  accent_color: color.describe(
    'The color of links and icons. The contrast to white and to background_color is at least 4.5:1; null for primary_color, darkened until it has that.',
  ),
}

const Branding = z
  .strictObject({
    id: uuid,
    object: z.literal('branding'),
    ...fields,
    logo: z
      .strictObject({
        url: z.url().describe('Public address of the logo; another logo has another address.'),
        content_type: z.enum(['image/png', 'image/jpeg', 'image/svg+xml']).describe('The type of the image.'),
        width: z.int().describe('Width in pixels; of an SVG the width that it has by itself.'),
        height: z.int().describe('Height in pixels.'),
        bytes: z.int().describe('Size in bytes of the file that we serve, which has no metadata.'),
      })
      .nullable()
      .describe('The logo; null without one.'),
    version: z.int().min(1).describe('The workspace’s version: a change of either counts.'),
    updated_at: timestamp,
  })
  .meta({ id: 'Branding' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000041',
  object: 'branding',
  brand_name: 'Café Azul',
  primary_color: '#1d4ed8',
  button_text_color: '#ffffff',
  background_color: null,
  accent_color: null,
  logo: {
    url: 'https://pay.spindle.example/logos/9f86d081884c7d659a2feaa0c55ad015',
    content_type: 'image/png',
    width: 480,
    height: 160,
    bytes: 18204,
  },
  version: 3,
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const of = { tag: 'Branding', reply: { status: 200, schema: Branding }, versioned: true } as const
const changing = {
  ...of,
  access: { api_key: { scopes: ['workspace:write'] } },
  rate: 'write',
  idempotency: 'optional',
} as const
const path = '/v1/workspace/branding'

export const get = contract({
  ...reads,
  ...of,
  id: 'branding.get',
  path,
  summary: 'Get the branding of the workspace',
  access: { api_key: { scopes: ['workspace:read'] } },
  errors: [],
  example: { reply: example },
})

export const update = contract({
  ...changing,
  id: 'branding.update',
  method: 'PATCH',
  path,
  summary: 'Change the branding of the workspace',
  description:
    'Fields that are left out stay; `null` brings ours back. Pages and mails that buyers get after the change show it, in this environment alone. In dark mode colors that would vanish are lightened.',
  tables: ['tenants'],
  body: z
    .strictObject(fields)
    .partial()
    .refine((changed) => Object.keys(changed).length > 0, 'must name at least one field'),
  errors: ['branding_contrast_too_low', 'workspace_details_reviewed'],
  example: { body: { primary_color: '#1d4ed8' }, reply: example },
})

export const putLogo = contract({
  ...changing,
  id: 'branding.put_logo',
  method: 'PUT',
  path: `${path}/logo`,
  summary: 'Set the logo',
  description:
    'PNG, JPEG or SVG, at most 256 KiB. The content decides the type. Metadata is left out; an SVG is rebuilt from its shapes, gradients, masks and text, and refused if it has anything else. The former logo stays at its address for 30 days. The owners of a live business get a mail.',
  tables: ['tenants', 'logos', 'mail_notices'],
  bodyKiBMax: 400,
  body: z.strictObject({ content: z.base64('must be base64').describe('The file’s bytes in base64.') }),
  errors: [
    'logo_empty',
    'logo_too_large',
    'logo_type_unsupported',
    'logo_malformed',
    'logo_dimensions_refused',
    'logo_unsafe',
  ],
  example: {
    body: {
      content:
        'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMCAxMCI+PHBhdGggZmlsbD0iIzFkNGVkOCIgZD0iTTAgMGgzMHYxMEgweiIvPjwvc3ZnPg==',
    },
    reply: example,
  },
})

export const deleteLogo = contract({
  ...changing,
  id: 'branding.delete_logo',
  method: 'DELETE',
  path: `${path}/logo`,
  summary: 'Remove the logo',
  description: 'The logo stays at its address for 30 days.',
  tables: ['tenants', 'logos'],
  errors: ['logo_not_found'],
  example: { reply: { ...example, logo: null } },
})

/** Removes the files that no branding shows. */
export const removal = { id: 'logos.remove', access: { system: {} }, tables: ['logos'] } as const
