import * as z from 'zod'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { timestamp } from '../../../src/http/schemas.ts'

const Clock = z
  .strictObject({
    object: z.literal('sandbox_clock'),
    now: timestamp.describe('The time now on the clock of your workspace.'),
    advanced_seconds: z
      .string()
      .regex(/^\d+$/)
      .describe('How far this clock is ahead of the real time, in all.'),
  })
  .meta({ id: 'SandboxClock' })

const example = {
  object: 'sandbox_clock',
  now: '2026-06-16T12:00:00.000Z',
  advanced_seconds: '259200',
} as const

const clock = {
  tag: 'Sandbox',
  only: 'sandbox',
  path: '/v1/sandbox/clock',
  reply: { status: 200, schema: Clock },
  example: { reply: example },
} as const

export const get = contract({
  ...reads,
  ...clock,
  id: 'sandbox.clock.get',
  summary: 'Read the sandbox clock',
  access: { api_key: { scopes: ['payment_links:read', 'reporting:read', 'refunds:read', 'transfers:read'] } },
  errors: [],
})

export const advance = contract({
  ...writes,
  ...clock,
  id: 'sandbox.clock.advance',
  summary: 'Move the sandbox clock forward',
  description:
    'Brings every open deadline of your workspace nearer: funds that become available, vouchers, CLABEs, links, checkout sessions and reservations that expire, authorizations that lapse, payouts, disputes. What is due then happens with the next scheduled run, within a minute. It never goes back; what you create afterwards begins at the real time.',
  access: { api_key: { scopes: ['payment_links:write', 'refunds:write', 'transfers:write'] } },
  tables: ['sandbox_clocks'],
  body: z.strictObject({
    advance: z
      .string()
      .regex(
        /^P(?=.)(\d{1,3}D)?(T(?=.)(\d{1,4}H)?(\d{1,5}M)?)?$/,
        'must be an ISO 8601 duration of at most 400 days, in days, hours and minutes, such as P3D or PT12H',
      )
      .describe('An ISO 8601 duration in days, hours and minutes: P3D, PT12H, P1DT30M; at most 400 days'),
  }),
  errors: [],
  example: { body: { advance: 'P3D' }, reply: example },
})
