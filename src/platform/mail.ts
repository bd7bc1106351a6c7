import type { MailSettings } from '../env/outside.ts'
import type { Locale } from '../kernel/locale.ts'

/** A mail to one person, complete: the provider adds nothing to it. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The business that it comes from beside us, and the address that answers go to. */
  readonly sender?: { readonly name: string; readonly replyTo: string | null; readonly locale: Locale }
  /** Headers beside those of every mail. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of the mail's row: the provider names it in what it reports later. Letters, digits, `_` and `-`. */
  readonly tag?: { readonly name: string; readonly value: string }
}

/**
 * `unknown`: the provider did not say that it has taken the mail; hand it over again under the same key. Also where it
 * refuses: that is usually our account there, which an operator repairs. `refused`: no address that we send to.
 */
export interface MailOutcome {
  readonly status: 'sent' | 'unknown' | 'refused'
  /** For the log; names no person. */
  readonly reason: string
}

/** Hands a mail to the provider. Never throws. Under one key it is sent once, however often it is handed over. */
export type SendMail = (key: string, mail: Mail) => Promise<MailOutcome>

const timeoutMs = 10_000
/** A Retry-After of at most this is waited for. Under a longer one nothing more is handed over by this sender. */
const pauseMsMax = 5_000
const triesMax = 3

/** A mailbox in the form that accounts may have, without a character that could end a header or name a second one. */
const address = /^[^\s<>,;:"()\\\p{C}]+@[^\s<>,;:"()\\\p{C}@]+$/u

/** Text for one line of a header or of a mail: without control characters, line separators and marks of direction. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** A name without a character that means something in a header (RFC 5322, 3.2.3), so that it needs no quotes. */
const nameMax = 60
const unquoted = (name: string): string =>
  oneLine([...name.replace(/\./g, '').replace(/[()<>[\]:;@\\,"]/g, ' ')].slice(0, nameMax).join(''))

const by: Readonly<Record<Locale, string>> = { 'es-MX': 'vía', en: 'via' }

function sentBy(from: string, sender: Mail['sender']) {
  const name = unquoted(sender?.name ?? '')
  const { replyTo = null, locale = 'en' } = sender ?? {}
  return {
    from: name === '' ? from : `${name} ${by[locale]} ${from}`,
    ...(replyTo !== null && address.test(replyTo) && { reply_to: replyTo }),
  }
}

/**
 * Resend's HTTP API. It keeps an Idempotency-Key for 24 hours; another body under the same key is a 409, which tells
 * that the mail was taken before (resend.com/docs/dashboard/emails/idempotency-keys, …/api-reference/errors).
 */
export function resend(settings: MailSettings): SendMail {
  let resumesAt = 0
  return async (key, mail) => {
    if (!address.test(mail.to)) return { status: 'refused', reason: 'address' }
    for (let tries = 1; ; tries++) {
      const pauseMs = resumesAt - Date.now()
      if (pauseMs > pauseMsMax) return { status: 'unknown', reason: '429 Retry-After' }
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      const { retryAfterMs, ...outcome } = await sendOnce(settings, key, mail)
      if (retryAfterMs === 0) return outcome
      resumesAt = Math.max(resumesAt, Date.now() + retryAfterMs)
      if (tries === triesMax) return outcome
    }
  }
}

/** One request. `retryAfterMs`: what a 429 asks to wait, else 0. */
async function sendOnce(
  { apiKey, from, apiBase }: MailSettings,
  key: string,
  { to, subject, text, html, sender, headers, tag }: Mail,
): Promise<MailOutcome & { readonly retryAfterMs: number }> {
  try {
    const response = await fetch(`${apiBase ?? 'https://api.resend.com'}/emails`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        'User-Agent': 'Spindle',
      },
      body: JSON.stringify({
        ...sentBy(from, sender),
        to: [to],
        subject: oneLine(subject),
        text,
        html,
        headers,
        tags: tag && [tag],
      }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = (await response.json().catch(() => ({}))) as { name?: unknown }
    const name = typeof body.name === 'string' && /^[a-z_]{1,60}$/.test(body.name) ? body.name : ''
    const seconds = response.status === 429 ? Number(response.headers.get('retry-after')) : 0
    return {
      status: statusOf(response.status, name),
      reason: `${response.status} ${name}`.trim(),
      retryAfterMs: seconds > 0 ? seconds * 1_000 : 0,
    }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { status: 'unknown', reason: isLate ? 'timeout' : 'connection', retryAfterMs: 0 }
  }
}

function statusOf(status: number, name: string): MailOutcome['status'] {
  if (status >= 200 && status < 300) return 'sent'
  return status === 409 && name === 'invalid_idempotent_request' ? 'sent' : 'unknown'
}
