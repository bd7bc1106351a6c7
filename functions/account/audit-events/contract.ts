import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { freeText, paged, tenantId, textOf, timestamp, uuid } from '../../../src/http/schemas.ts'

const digest = textOf(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lowercase hexadecimal digits')

const AuditEvent = z
  .strictObject({
    id: uuid.describe('The id of the change: all that it wrote succeeded together.'),
    object: z.literal('audit_event'),
    sequence: z.int().min(1).describe('1, 2, 3 … in the workspace, without gaps.'),
    operation: z.string().describe('What was done: an operation of this interface, or work of the service.'),
    actor: z
      .strictObject({
        type: z
          .string()
          .describe(
            'How the actor was identified: `api_key`; `device`, a paired device; `pairing`, a device with its pairing code; `session`, `customer`, `challenge` or `invitee`, all of a signed-in customer; `public_id`, a buyer; `operator`, a person of ours; `system`, the service itself.',
          ),
        id: z
          .string()
          .describe(
            'Of the API key or the customer; the short name of an operator; `buyer` or `system` for the others.',
          ),
      })
      .describe('Who did it.'),
    objects: z
      .array(
        z.strictObject({
          type: z.string().describe('The kind of resource: `payment_link`.'),
          id: z.string().describe('Its id: a UUID, or the workspace’s own.'),
        }),
      )
      .describe('The resources that the change was about.'),
    request_id: z.string().describe('The `X-Request-Id` of the request, or the id of the scheduled run.'),
    created_at: timestamp.describe('When the database took the change.'),
    digest: digest.describe(
      'SHA-256 of a JSON list of texts without spaces: the `digest` of the audit event before (64 zeros before the first), `sequence`, the workspace, `id`, `operation`, `actor.type`, `actor.id`, `request_id`, `created_at`, and `type:id` of each of the objects.',
    ),
  })
  .meta({ id: 'AuditEvent' })

const example = {
  id: '7d9a4c1e-52b8-4f06-9d3c-1a2b3c4d5e6f',
  object: 'audit_event',
  sequence: 1042,
  operation: 'payment_links.create',
  actor: { type: 'api_key', id: '0190a6d2-7c3e-7b1a-9f00-000000000001' },
  objects: [{ type: 'payment_link', id: '0190a6d2-7c3e-7b1a-9f00-000000000002' }],
  request_id: 'req_0123456789abcdef0123456789abcdef',
  created_at: '2026-06-13T12:00:00.000Z',
  digest: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
} as const

const Verification = z
  .strictObject({
    object: z.literal('audit_verification'),
    intact: z.boolean().describe('Whether no break was found.'),
    checked_count: z.int().min(0).describe('How many audit events were checked.'),
    first_break: z
      .strictObject({
        sequence: z.int().describe('Where the chain is broken.'),
        reason: z
          .enum(['missing', 'edited', 'head'])
          .describe(
            '`missing`: there is no such audit event. `edited`: it is not what its digest covers, or not in its place. `head`: the chain does not end where its head says.',
          ),
      })
      .nullable()
      .describe('The first break.'),
    last: z
      .strictObject({
        sequence: z.int().describe('The sequence of the audit event; 0 before the first.'),
        digest: digest.nullable().describe('The digest of the audit event.'),
      })
      .describe('The last audit event up to which the chain is intact. Continue behind it, and keep it.'),
    head: z
      .strictObject({
        sequence: z.int().nullable().describe('The sequence of the audit event.'),
        digest: digest.nullable().describe('The digest of the audit event.'),
      })
      .describe('The newest audit event, as the chain’s head has it.'),
    has_more: z.boolean().describe('Whether more audit events are to be checked, behind `last`.'),
  })
  .meta({ id: 'AuditVerification' })

export const list = contract({
  ...reads,
  id: 'audit_events.list',
  path: '/v1/workspace/audit-events',
  tag: 'Audit events',
  summary: 'List audit events',
  access: { api_key: { scopes: ['workspace:read'] }, session: { role: 'member' } },
  ...paged(AuditEvent, example, {
    tenant_id: tenantId.optional().describe('With a session: the workspace. An API key reads its own.'),
    actor_type: freeText(64).optional().describe('Only what an actor of this type did.'),
    actor_id: freeText(128).optional().describe('Only what this actor did.'),
    operation: freeText(128).optional().describe('Only this operation.'),
    object_id: freeText(128).optional().describe('Only what was about this resource.'),
  }),
})

const sequenceMessage = 'must be a whole number from 0'

export const verify = contract({
  ...reads,
  id: 'audit_events.verify',
  path: '/v1/workspace/audit-events/verification',
  tag: 'Audit events',
  summary: 'Verify the audit events',
  description:
    'Checks up to 10,000 audit events of the chain, oldest first, and names the first that was edited, moved or is missing. While `has_more` is true, continue with `last`. Keep a `head` outside of Spindle: sent later as `after_sequence` and `after_digest`, it shows whether the chain up to there was made again.',
  access: { session: { role: 'admin' } },
  rate: 'auth',
  query: z.strictObject({
    tenant_id: tenantId,
    after_sequence: z
      .preprocess(
        (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
        z.int(sequenceMessage).min(0, sequenceMessage).default(0),
      )
      .describe('Checks what follows this audit event; 0, the default, begins with the first.'),
    after_digest: digest.optional().describe('The digest that you know of that audit event.'),
  }),
  reply: { status: 200, schema: Verification },
  errors: [],
  example: {
    reply: {
      object: 'audit_verification',
      intact: true,
      checked_count: 1042,
      first_break: null,
      last: { sequence: 1042, digest: example.digest },
      head: { sequence: 1042, digest: example.digest },
      has_more: false,
    },
  },
})
