import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Link, pay, type Recipe, type Sandbox } from './simulate.ts'

const newLink = (sandbox: Sandbox, more: object) =>
  ask<Link>(sandbox, '/v1/payment-links', {
    manual_amount: 120_000,
    currency: 'mxn',
    usage: 'multi_use',
    description: 'npm run trigger',
    ...more,
  })

const usedUp = async (sandbox: Sandbox) => {
  await pay(sandbox, await newLink(sandbox, { uses_max: 1 }), { card_token: 'tok_sbx_approve' })
  await advance(sandbox, 'PT1M')
}

/** Stories of links that many pay. */
export const linkStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'payment_link.used_up': usedUp,
}
