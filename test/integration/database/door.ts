import { createHmac, randomUUID } from 'node:crypto'
import { publicId, uuidv7 } from '../../../src/kernel/ids.ts'
import { type Link, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { proofOf, stack, workerSql } from '../../support/stack.ts'

/* The door, called with the Worker's role and proof, but not by a Worker. */

export const id = () => uuidv7(Date.now())
export const pepper = (JSON.parse(stack.sandbox.apiKeyPeppers) as Record<string, string>)['1']!

export const asKey = (apiKey: string) => ({
  kind: 'api_key',
  kid: /^sk_sbx_.(.{16})/.exec(apiKey)![1],
  digests: { 1: createHmac('sha256', pepper).update(apiKey).digest('hex') },
})

export type Asked = Record<string, unknown>

/** What the Worker sends of a credential; an API key's digest is its own proof. */
export const proven = (credential: Asked): Asked =>
  credential.kind === 'api_key' ? credential : { ...credential, proof: proofOf('sandbox') }

export async function publish(asked: Asked): Promise<Record<string, unknown>> {
  const publication = {
    publishId: randomUUID(),
    requestId: 'req_door',
    now: new Date().toISOString(),
    writes: [],
    events: [],
    ...asked,
    credential: proven(asked.credential as Asked),
  }
  const [row] = await workerSql('sandbox')<{ publish: Record<string, unknown> }>(
    'select door.publish($1::jsonb)',
    [JSON.stringify(publication)],
  )
  return row!.publish
}

export const newLinkRow = (more: Asked = {}) => ({
  id: id(),
  public_id: publicId('splink'),
  status: 'active',
  usage: 'single_use',
  amount_source: 'manual_amount',
  amount_minor: '120000',
  currency: 'mxn',
  payment_method_types: ['card'],
  capture_method: 'automatic',
  installment_months: [],
  fee_allocation: 'absorb',
  merchant_markup_bps: 0,
  metadata: {},
  terms_version: 1,
  version: 1,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  ...more,
})

export const insertLink = (more?: Asked) => ({
  kind: 'insert',
  table: 'payment_links',
  rows: [newLinkRow(more)],
})
export const changeLink = (link: Link, set: Asked, more: Asked = {}) => ({
  kind: 'change',
  table: 'payment_links',
  id: link.id,
  version: link.version,
  fromStatus: link.status,
  set,
  ...more,
})
export const journal = (postings: [account: string, amountMinor: string][], more: Asked = {}) => ({
  kind: 'post',
  table: 'ledger_journals',
  id: id(),
  sourceType: 'payment',
  sourceId: id(),
  entryKind: 'capture',
  currency: 'mxn',
  createdAt: new Date().toISOString(),
  postings: postings.map(([account, amountMinor]) => ({ account, amountMinor })),
  ...more,
})

/** The same change of several links. */
export const changeLinks = (links: readonly Link[], set: Asked, more: Asked = {}) => ({
  kind: 'changeEach',
  table: 'payment_links',
  rows: links.map(({ id, version, status }) => ({ id, version, fromStatus: status })),
  set,
  ...more,
})

export type World = { merchant: Merchant; link: Link; other: Merchant; foreign: Link }

export async function newWorld(): Promise<World> {
  const [merchant, other] = await Promise.all([newMerchant(), newMerchant()])
  const [link, foreign] = await Promise.all([newLink(merchant), newLink(other)])
  return { merchant, link, other, foreign }
}
