import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Cloudflare Turnstile on this machine: its verification as published
 * (developers.cloudflare.com/turnstile/get-started/server-side-validation), and a widget that is content with everybody.
 */
export interface Turnstile {
  readonly url: string
  /** The variables with which a Worker uses it. */
  readonly vars: Readonly<Record<string, string>>
  /** What the widget writes into the form of a person. */
  solve(cdata: string, action?: string): string
  /** Five minutes go by. */
  expire(): void
  /** How often it was asked. */
  asked(): number
  /** Its widgets are content from now on, or are not yet. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

const siteKey = '1x00000000000000000000AA'
const secretKey = '1x0000000000000000000000000000000AA'
const validMs = 300_000

interface Issued {
  readonly action: string
  readonly cdata: string
  readonly atMs: number
  /** The keys under which it was taken; undefined before. */
  takenUnder?: string | null
}

export async function startTurnstile(): Promise<Turnstile> {
  const issued = new Map<string, Issued>()
  let asked = 0
  let release = () => {}
  let held: Promise<void> | null = null
  let aheadMs = 0
  const solve = (cdata: string, action = 'pay_by_card') => {
    const token = `XXXX.${randomBytes(24).toString('base64url')}`
    issued.set(token, { action, cdata, atMs: Date.now() + aheadMs })
    return token
  }

  function verified(text: string): object {
    const no = (...codes: string[]) => ({ success: false, 'error-codes': codes })
    let body: Readonly<Record<string, unknown>>
    try {
      body = JSON.parse(text)
    } catch {
      return no('bad-request')
    }
    if (!body.secret) return no('missing-input-secret')
    if (body.secret !== secretKey) return no('invalid-input-secret')
    if (!body.response) return no('missing-input-response')
    const found = issued.get(String(body.response))
    if (!found) return no('invalid-input-response')
    const key = typeof body.idempotency_key === 'string' ? body.idempotency_key : null
    const isTaken = found.takenUnder !== undefined && (key === null || found.takenUnder !== key)
    if (isTaken || Date.now() + aheadMs - found.atMs > validMs) return no('timeout-or-duplicate')
    found.takenUnder = key
    const { action, cdata, atMs } = found
    return {
      success: true,
      challenge_ts: new Date(atMs).toISOString(),
      hostname: '127.0.0.1',
      'error-codes': [],
      action,
      cdata,
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const send = (type: string, text: string) => response.writeHead(200, { 'content-type': type }).end(text)
    if (pathname === '/turnstile/v0/api.js') return void send('text/javascript', widgetScript)
    if (pathname === '/turnstile/v0/widget') return void send('text/html', widget)
    if (pathname === '/turnstile/v0/token') {
      await held
      return void send('text/plain', solve(searchParams.get('cdata') ?? '', searchParams.get('action') ?? ''))
    }
    if (request.method !== 'POST' || pathname !== '/turnstile/v0/siteverify')
      return void response.writeHead(404).end()
    asked += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    send('application/json', JSON.stringify(verified(Buffer.concat(chunks).toString('utf8'))))
  }

  const server = createServer((request, response) => void answer(request, response))
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    vars: { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey, TURNSTILE_BASE: url },
    solve,
    expire: () => {
      aheadMs += validMs + 1
    },
    asked: () => asked,
    hold: (isHeld) => {
      release()
      held = isHeld
        ? new Promise((resolve) => {
            release = resolve
          })
        : null
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** As the published one: a frame of its own host decides, a hidden field gets the token, and `data-callback` is called. */
const widgetScript = `
const place = document.querySelector('.cf-turnstile')
const { action, cdata, sitekey, callback } = place.dataset
const frame = document.createElement('iframe')
frame.src = new URL('widget', document.currentScript.src) + '?' + new URLSearchParams({ action, cdata, sitekey })
frame.title = 'Widget'
frame.style = 'display:block;border:0;width:100%;min-width:300px;height:65px;background:#fafafa'
const field = document.createElement('input')
field.type = 'hidden'
field.name = 'cf-turnstile-response'
place.append(frame, field)
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return
  field.value = data
  window[callback]?.(data)
})
`

const widget = `<!doctype html><script type="module">
const reply = await fetch('token' + location.search)
parent.postMessage(await reply.text(), '*')
</script>`
