import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { freeText, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { newLink, newLinkErrors, writing } from './contract.ts'
import { exampleLink, PaymentLink } from './contract-link.ts'
import { reading } from './contract-read.ts'

const path = '/v1/payment-link-templates'

/** Fields of a new link as they are given: none is needed, and what is left out has no default. */
const given = (fields: z.ZodRawShape) =>
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          field instanceof z.ZodDefault ? field.removeDefault() : field,
        ]),
      ) as z.ZodRawShape,
    )
    .partial() as unknown as z.ZodType<JsonObject>

// A template is shown whole, and a password is not. A buyer who is known is of one link.
const { password: _, customer_email: _email, customer_name: _name, ...settable } = newLink

const fields = {
  name: freeText(120)
    .trim()
    .min(1)
    .describe('Your own name for it: unique among your templates, in any case of letters.'),
  settings: given(settable)
    .meta({ id: 'PaymentLinkSettingsRequest' })
    .describe(
      'Fields of a new link, but for `password`, `customer_email` and `customer_name`. What depends on other fields, on your payment policy or on the time is judged when a link is made.',
    ),
}

const Template = z
  .strictObject({
    id: uuid,
    object: z.literal('payment_link_template'),
    name: fields.name,
    settings: z.record(z.string(), z.unknown()).describe('As you set them.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PaymentLinkTemplate' })

const body = {
  name: 'Talleres',
  settings: { currency: 'mxn', usage: 'multi_use', uses_max: 12, collects: { phone: 'required' } },
}

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000097',
  object: 'payment_link_template',
  ...body,
  version: 1,
  created_at: exampleLink.created_at,
  updated_at: exampleLink.updated_at,
} as const

const changing = { ...writing, tables: ['payment_link_templates'] } as const
const ofTemplate = {
  ...one(Template, example, 'payment_link_template_not_found'),
  params: z.strictObject({ id: uuid }),
} as const

export const create = contract({
  ...changing,
  id: 'payment_link_templates.create',
  versioned: true,
  method: 'POST',
  path,
  location: `${path}/:id`,
  summary: 'Create a template of payment links',
  idempotency: 'required',
  body: z.strictObject(fields),
  reply: { status: 201, schema: Template },
  errors: ['payment_link_template_name_taken'],
  example: { body, reply: example },
})

export const list = contract({
  ...reading,
  id: 'payment_link_templates.list',
  method: 'GET',
  path,
  summary: 'List templates of payment links',
  ...paged(Template, example, { name: freeText(120).optional().describe('Only the one with this name.') }),
})

export const get = contract({
  ...reading,
  ...ofTemplate,
  id: 'payment_link_templates.get',
  versioned: true,
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get a template of payment links',
})

export const update = contract({
  ...changing,
  ...ofTemplate,
  id: 'payment_link_templates.update',
  versioned: true,
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Change a template of payment links',
  description: '`settings` replace all that it had. Links that were made from it stay as they are.',
  idempotency: 'optional',
  body: z
    .strictObject(fields)
    .partial()
    .refine((changed) => Object.keys(changed).length > 0, 'must name at least one field'),
  errors: ['payment_link_template_not_found', 'payment_link_template_name_taken'],
  example: { body: { name: 'Cursos' }, reply: { ...example, name: 'Cursos', version: 2 } },
})

export const remove = contract({
  ...changing,
  ...ofTemplate,
  id: 'payment_link_templates.delete',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete a template of payment links',
  description: 'Links that were made from it stay, and its name is free.',
  idempotency: 'none',
  reply: {
    status: 200,
    schema: z.strictObject({
      id: uuid,
      object: z.literal('payment_link_template'),
      deleted: z.literal(true).describe('Always true: it is deleted.'),
    }),
  },
  example: { reply: { id: example.id, object: 'payment_link_template', deleted: true } },
})

export const createLink = contract({
  ...writing,
  id: 'payment_link_templates.create_link',
  versioned: true,
  method: 'POST',
  path: `${path}/:id/payment-links`,
  location: '/v1/payment-links/:id',
  params: ofTemplate.params,
  notFound: 'payment_link_template_not_found',
  summary: 'Create a payment link from a template',
  description:
    'Fields of the body win over the template’s, each as a whole; what neither names has the default of a new link. A body that says the amount, in any of its ways, leaves out the template’s. Errors name the field of the link, whichever of the two it is from.',
  idempotency: 'required',
  body: given(newLink),
  reply: { status: 201, schema: PaymentLink },
  errors: ['payment_link_template_not_found', ...newLinkErrors],
  example: {
    body: { manual_amount: 45000, description: 'Taller de cerámica' },
    reply: {
      ...exampleLink,
      usage: 'multi_use',
      manual_amount: 45000,
      description: 'Taller de cerámica',
      uses_max: 12,
      uses_held_count: 0,
      installment_options: [],
      client_reference_id: null,
      metadata: {},
      template_ref: example.id,
    },
  },
})
