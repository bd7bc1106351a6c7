import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { importSecret, signatureOf } from '../src/platform/standard-webhooks.ts'
import { answer, listenOnLoopback, readBody } from './gateway-server.ts'

export const MAIL_API_KEY = 'local-mailbox'
/** What the stand-in signs its reports with. */
export const MAIL_WEBHOOK_SECRET = `whsec_${btoa('what the local mailbox signs with')}`

/** A mail as the stand-in keeps it. */
export type ReceivedMail = {
  id: string
  /** The Idempotency-Key that it was sent under. */
  key: string
  from: string
  /** Where answers go; absent: nowhere. */
  reply_to?: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  tags: { name: string; value: string }[]
  at: string
  /** How often it was handed over. */
  handedOver: number
}

/** What goes wrong with the next mails to an address: before the mail is taken, or after. */
export type MailFault = {
  mode: 'time_out' | 'time_out_after' | '500' | '500_after' | '429' | 'cut_after'
  to: string
  times: number
  /** Of a 429: seconds. */
  retryAfter?: number
}

/** What the provider reports of a mail; `softly`: a bounce that may end. */
export type MailReport = 'delivered' | 'bounced' | 'bounced_softly' | 'complained'

export type Mailbox = { url: string; close(): Promise<void> }

const keptMax = 1_000
const bodyBytesMax = 256 * 1024

/**
 * Stands in for Resend's HTTP API and keeps mails in memory: POST /emails as there, with its Idempotency-Keys. GET / is a
 * page of the mails, the newest first, GET /mails.json the same for programs; both take `?to=`. POST /faults orders
 * failures, for tests. POST /reports with a mail's id and what is reported of it posts that, signed, to each of `hooks`,
 * as the buttons of the page do.
 */
export async function startMailbox(hooks: readonly string[] = []): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const payloads = new Map<string, string>()
  const faults: MailFault[] = []

  const take = (key: string, payload: string): [status: number, reply: object] => {
    const {
      from,
      to,
      subject,
      text,
      html,
      reply_to,
      headers = {},
      tags = [],
    } = JSON.parse(payload) as Record<string, unknown>
    const [recipient] = Array.isArray(to) ? to : [to]
    if (![from, recipient, subject, text, html].every((each) => typeof each === 'string' && each !== ''))
      return [422, { statusCode: 422, name: 'missing_required_field', message: 'A field is missing.' }]
    if (
      [from, reply_to ?? '', recipient, subject, ...Object.values(headers as object)].some((each) =>
        /[\r\n]/.test(each as string),
      )
    )
      return [422, { statusCode: 422, name: 'validation_error', message: 'A header has a line break.' }]
    const known = mails.find((mail) => mail.key === key)
    if (known) known.handedOver += 1
    if (known && payloads.get(key) !== payload)
      return [409, { statusCode: 409, name: 'invalid_idempotent_request', message: 'Another body.' }]
    if (known) return [200, { id: known.id }]
    const [id, at] = [randomUUID(), new Date().toISOString()]
    payloads.set(key, payload)
    const fields = { from, reply_to, to: recipient, subject, text, html, headers, tags } as Pick<
      ReceivedMail,
      'from'
    > &
      ReceivedMail
    mails.unshift({ ...fields, id, key, at, handedOver: 1 })
    for (const { key } of mails.splice(keptMax)) payloads.delete(key)
    return [200, { id }]
  }

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const payload = (await readBody(request, bodyBytesMax)) ?? ''
    const key = String(request.headers['idempotency-key'] ?? '')
    if (request.headers.authorization !== `Bearer ${MAIL_API_KEY}`)
      return reply(response, 403, { statusCode: 403, name: 'invalid_api_key', message: 'Unknown key.' })
    if (key.length < 1 || key.length > 256)
      return reply(response, 400, { statusCode: 400, name: 'invalid_idempotency_key', message: 'Bad key.' })
    const fault = faults.find(({ to, times }) => times > 0 && payload.includes(JSON.stringify(to)))
    if (fault) fault.times -= 1
    const mode = fault?.mode
    if (fault?.retryAfter) response.setHeader('Retry-After', String(fault.retryAfter))
    if (mode === '429') return reply(response, 429, { statusCode: 429, name: 'rate_limit_exceeded' })
    if (mode === '500') return reply(response, 500, { statusCode: 500, name: 'application_error' })
    const answered = mode === 'time_out' ? null : take(key, payload)
    if (mode === 'time_out' || mode === 'time_out_after') await delay(30_000, undefined, { ref: false })
    if (mode === 'cut_after') return response.destroy()
    if (mode === '500_after') return reply(response, 500, { statusCode: 500, name: 'internal_server_error' })
    if (answered) reply(response, ...answered)
  }

  const report = async (id: string, what: MailReport): Promise<number[]> => {
    const mail = mails.find((each) => each.id === id)
    if (!mail) return []
    const type = what === 'bounced_softly' ? 'bounced' : what
    const bounce = {
      type: what === 'bounced' ? 'Permanent' : 'Transient',
      message: 'Reported at the local mailbox.',
    }
    const { from, to, subject, tags, at } = mail
    const data = {
      email_id: id,
      created_at: at,
      from,
      to: [to],
      subject,
      tags,
      ...(type === 'bounced' && { bounce }),
    }
    const message = {
      id: `msg_${randomUUID()}`,
      timestamp: Math.trunc(Date.now() / 1_000),
      body: JSON.stringify({ type: `email.${type}`, created_at: new Date().toISOString(), data }),
    }
    const headers = {
      'content-type': 'application/json',
      'svix-id': message.id,
      'svix-timestamp': String(message.timestamp),
      'svix-signature': await signatureOf(await importSecret(MAIL_WEBHOOK_SECRET), message),
    }
    const posts = hooks.map((hook) => fetch(hook, { method: 'POST', headers, body: message.body }))
    const answers = await Promise.allSettled(posts)
    return answers.map((each) => (each.status === 'fulfilled' ? each.value.status : 0))
  }

  const server = await listenOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const to = url.searchParams.get('to')
    const found = mails.filter((mail) => to === null || mail.to === to)
    if (request.method === 'POST' && url.pathname === '/emails') await receive(request, response)
    else if (request.method === 'POST' && url.pathname === '/faults') {
      faults.push(JSON.parse((await readBody(request, bodyBytesMax)) ?? '') as MailFault)
      reply(response, 200, {})
    } else if (request.method === 'POST' && url.pathname === '/reports') {
      const fields = new URLSearchParams((await readBody(request, bodyBytesMax)) ?? '')
      const statuses = await report(fields.get('id') ?? '', fields.get('report') as MailReport)
      reply(response, 200, { statuses })
    } else if (url.pathname === '/mails.json') reply(response, 200, found)
    else if (url.pathname === '/') answer(response, 200, page(found, to), 'text/html; charset=utf-8')
    else reply(response, 404, { statusCode: 404, name: 'not_found' })
  })
  return { url: `http://localhost:${server.port}`, close: server.close }
}

const reply = (response: ServerResponse, status: number, body: object) =>
  answer(response, status, JSON.stringify(body))

/** The newest mails to an address. */
export async function mailsTo(mailboxUrl: string, to: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${mailboxUrl}/mails.json?to=${encodeURIComponent(to)}`)
  return (await response.json()) as ReceivedMail[]
}

/** Our pages refuse to be framed: a mail's links open tabs. */
const inTabs = (html: string) => html.replace('<head>', '<head><base target="_blank">')

/** A mail's HTML is drawn in a frame of its own, without scripts. */
const page = (mails: readonly ReceivedMail[], to: string | null) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mailbox</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}article{border-top:1px solid #ccc;padding:1rem 0}iframe{width:100%;height:26rem;border:1px solid #ccc}pre{white-space:pre-wrap}</style></head>
<body><h1>Mailbox</h1>
<form><label>To <input name="to" type="email" value="${escapeHtml(to ?? '')}"></label> <button>Show</button></form>
${mails.length === 0 ? '<p>No mail.</p>' : mails.map(drawn).join('\n')}
</body></html>`

const reports: readonly MailReport[] = ['delivered', 'bounced', 'complained']

const drawn = ({ id, subject, from, to, at, text, html }: ReceivedMail) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p>${escapeHtml(at)} · from ${escapeHtml(from)} · to <a href="/?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a></p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${escapeHtml(subject)}" srcdoc="${escapeHtml(inTabs(html))}"></iframe>
<form method="post" action="/reports"><input type="hidden" name="id" value="${escapeHtml(id)}">
${reports.map((each) => `<button name="report" value="${each}">Report as ${each}</button>`).join('\n')}</form>
<details><summary>Text</summary><pre>${escapeHtml(text)}</pre></details>
</article>`

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)
