import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from './errors.ts'

/** What a reader may store while it has no network. */
export interface Allowance {
  readonly id: string
  readonly currency: string
  readonly amount_max: string
  readonly stored_amount_max: string
}

export interface Stored {
  readonly id: string
  readonly amount: string
}

export interface Batch {
  readonly results: readonly { id: string; status: string; refusal_code: string | null }[]
}

/** Forwards a batch. */
type Send = (batch: { payments: object[]; has_more: boolean }) => Promise<Batch>

const batchMax = 50
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const base64Url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

/** The key of a reader: the private part stays in this process. */
export async function newSigningKey() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { privateKey, publicKey: base64Url(await crypto.subtle.exportKey('raw', publicKey)) }
}

export type SigningKey = Awaited<ReturnType<typeof newSigningKey>>

/** Stores a payment, as it will be forwarded. */
async function stored(key: CryptoKey, allowance: Allowance, sequence: number, amount: string) {
  const payment = {
    id: randomUUID(),
    allowance_id: allowance.id,
    sequence,
    amount,
    amount_tip: '0',
    currency: allowance.currency,
    taken_at: new Date().toISOString(),
  }
  const card = { token: 'tok_sbx_approve', presented_as: 'tap' }
  const text = ['spindle-offline-1', ...Object.values(payment), ...Object.values(card)].join('\n')
  const bytes = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    new TextEncoder().encode(text),
  )
  return { ...payment, card, signature: base64Url(bytes) }
}

const triesMax = 5

/** The answer to a batch. A reply that was lost comes again with the same batch: each payment in it is one. */
async function answered(send: Send, batch: Parameters<Send>[0], waitMs: number): Promise<Batch> {
  for (let tries = 1; ; tries++) {
    try {
      return await send(batch)
    } catch (error) {
      if (tries === triesMax) throw error
      console.log(`no answer, and the same is sent again: ${reasonOf(error)}`)
    }
    await delay(waitMs)
  }
}

/** Sends all of it, in batches. `waitMs`: before a batch is sent again. Returns what was not recorded: the reader keeps it. */
export async function forward(send: Send, payments: readonly Stored[], waitMs: number): Promise<Stored[]> {
  const kept: Stored[] = []
  for (let at = 0; at < payments.length; at += batchMax) {
    const batch = payments.slice(at, at + batchMax)
    const sent = {
      payments: batch.map((payment) => ({ ...payment })),
      has_more: at + batchMax < payments.length || kept.length > 0,
    }
    const { results } = await answered(send, sent, waitMs)
    for (const { id, status, refusal_code } of results)
      console.log(`${id}: ${refusal_code ? `${status}, ${refusal_code}` : status}`)
    const isKept = ({ id }: Stored) =>
      results.some((result) => result.id === id && result.status === 'not_recorded')
    kept.push(...batch.filter(isKept))
  }
  return kept
}

/**
 * Loses the network for a while: a buyer comes every `everyMs` and pays `amount` in minor units, within what the reader may
 * store; then it forwards. Returns what was not recorded.
 */
export async function withoutNetwork(
  send: Send,
  { key, allowance }: { readonly key: CryptoKey; readonly allowance: Allowance },
  {
    seconds,
    amount,
    everyMs,
  }: { readonly seconds: number; readonly amount: string; readonly everyMs: number },
): Promise<Stored[]> {
  console.log(`no network for ${seconds} seconds`)
  const until = performance.now() + seconds * 1000
  const kept: Awaited<ReturnType<typeof stored>>[] = []
  const isAllowed = () =>
    BigInt(amount) <= BigInt(allowance.amount_max) &&
    BigInt(amount) * BigInt(kept.length + 1) <= BigInt(allowance.stored_amount_max)
  do {
    if (isAllowed()) {
      kept.push(await stored(key, allowance, kept.length + 1, amount))
      console.log(`${amount} ${allowance.currency} stored, not charged yet`)
    } else console.log(`${amount} ${allowance.currency} refused: the reader may store nothing else`)
    await delay(everyMs)
  } while (performance.now() < until)
  console.log(`the network is back: ${kept.length} to forward`)
  return forward(send, kept, everyMs)
}
