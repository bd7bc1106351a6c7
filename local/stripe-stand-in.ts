import type { IncomingMessage, ServerResponse } from 'node:http'
import { answer, listenOnLoopback, readBody } from './gateway-server.ts'
import {
  type Right,
  refused,
  type StripeAnswer,
  type StripeCustomerFields,
  type StripeFault,
  StripeStandInAccount,
} from './stripe-account.ts'

/** What is ordered of the account that a key opens, which is made with the first order. */
export type StripeOrder = { key: string } & (
  | { order: 'open'; rights?: Right[]; revoked?: boolean; pageMax?: number }
  | { order: 'save'; customers: StripeCustomerFields[]; atSeconds?: number; silently?: boolean }
  | { order: 'remove'; id: string; atSeconds?: number }
  | { order: 'forget_events' }
  | { order: 'fail'; fault: StripeFault }
  | { order: 'endpoint'; url: string; secret: string }
  | { order: 'requests' | 'struck' }
)

export type StripeStandIn = { url: string; close(): Promise<void> }

const bodyBytesMax = 4 * 1024 * 1024

/**
 * Stands in for the part of Stripe's API that customers are read from: lists of customers and events in
 * pages, its errors, and events that are signed and posted. POST /orders says what an account has and how it
 * fails.
 */
export async function startStripe(): Promise<StripeStandIn> {
  const accounts = new Map<string, StripeStandInAccount>()

  const order = async (asked: StripeOrder): Promise<unknown> => {
    const account = accounts.get(asked.key) ?? new StripeStandInAccount(asked.key)
    accounts.set(asked.key, account)
    switch (asked.order) {
      case 'open':
        account.rights = asked.rights ?? ['customers', 'events']
        account.isRevoked = asked.revoked ?? false
        account.pageMax = asked.pageMax ?? 100
        return {}
      case 'save': {
        const ids: string[] = []
        for (const fields of asked.customers) ids.push(await account.save(fields, asked))
        return ids
      }
      case 'remove':
        await account.remove(asked.id, asked.atSeconds)
        return {}
      case 'forget_events':
        account.forgetEvents()
        return {}
      case 'fail':
        account.faults.push(asked.fault)
        return {}
      case 'endpoint':
        account.endpoint = { url: asked.url, secret: asked.secret }
        return {}
      case 'requests':
        return account.requests
      case 'struck':
        return account.struck
    }
  }

  const stripe = (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const account = accounts.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
    if (!account) return send(response, refused(401, null, 'Invalid API Key provided'))
    const fault = account.fault()
    if (fault?.mode === 'time_out') return
    if (fault?.mode === 'cut') return void request.socket.destroy()
    if (fault?.mode === '500') return send(response, refused(500, null, 'An error of Stripe’s own'))
    if (fault?.mode === '429')
      return send(response, {
        ...refused(429, 'rate_limit', 'Too many requests'),
        headers: fault.retryAfter ? { 'retry-after': String(fault.retryAfter) } : {},
      })
    send(response, account.answer(url.pathname.slice('/v1'.length), url.searchParams))
  }

  const server = await listenOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const isRead = request.method === 'GET' && /^\/v1\/(customers|events)$/.test(url.pathname)
    if (isRead) stripe(request, response, url)
    else if (request.method === 'POST' && url.pathname === '/orders') {
      const asked = JSON.parse((await readBody(request, bodyBytesMax)) ?? '') as StripeOrder
      answer(response, 200, JSON.stringify(await order(asked)))
    } else send(response, refused(404, null, 'Unrecognized request URL'))
  })
  return { url: `http://127.0.0.1:${server.port}`, close: server.close }
}

function send(response: ServerResponse, { status, body, headers = {} }: StripeAnswer): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_stand_in', ...headers })
  response.end(JSON.stringify(body))
}

/** Gives an order to the stand-in. */
export async function orderOfStripe<Answer>(url: string, order: StripeOrder): Promise<Answer> {
  const response = await fetch(`${url}/orders`, { method: 'POST', body: JSON.stringify(order) })
  return (await response.json()) as Answer
}
