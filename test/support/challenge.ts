import { attemptsOf } from './books.ts'
import { type Link, type Merchant, newLink, newMerchant, openLink } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

/**
 * The parts of a buyer's browser that these pages need: it keeps the cookies of one link and follows no redirect by itself.
 */
export class Browser {
  readonly #base: string
  /** The cookie of the payment that it began at the link. */
  cookie: string | null = null
  /** The cookie of what its buyer typed there. */
  typed: string | null = null

  constructor(base: string = stack.sandbox.directUrl) {
    this.#base = base
  }

  async open(path: string) {
    return this.#ask(path, {})
  }

  async send(path: string, fields: Record<string, string>) {
    return this.#ask(path, { method: 'POST', body: new URLSearchParams({ locale: 'en', ...fields }) })
  }

  async #ask(path: string, init: RequestInit) {
    const cookie = [this.cookie, this.typed].filter((kept) => kept !== null).join('; ')
    const response = await fetch(this.#base + path, {
      ...init,
      ...(cookie ? { headers: { cookie } } : {}),
      redirect: 'manual',
    })
    for (const set of response.headers.getSetCookie()) {
      const kept = /Max-Age=0/.test(set) ? null : set.split(';', 1)[0]!
      if (set.startsWith('spindle_payment=')) this.cookie = kept
      else this.typed = kept
    }
    const html = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      /** Where the browser is sent, without the language. */
      leadsTo: response.headers.get('location')?.replace(/[?&]lang=(en|es)$/, '') ?? null,
      html,
      state: /data-state="([a-z_]+)"/.exec(html)?.[1],
      title: /<h1[^>]*>([^<]*)</.exec(html)?.[1],
    }
  }
}

export interface Challenged {
  readonly merchant: Merchant
  readonly link: Link
  readonly browser: Browser
  /** The page of the payment. */
  readonly path: string
  readonly reference: string
  readonly attemptId: string
}

/** A buyer who was sent to the bank's challenge and has not answered it. */
export async function challenged(fields: Record<string, unknown> = {}): Promise<Challenged> {
  const merchant = await newMerchant()
  const link = await newLink(merchant, fields)
  return atTheBank(merchant, link)
}

export async function atTheBank(
  merchant: Merchant,
  link: Link,
  browser = new Browser(),
): Promise<Challenged> {
  const form = await openLink(link.public_id)
  const sent = await browser.send(`/${link.public_id}/attempts`, {
    ...form,
    card_token: 'tok_sbx_3ds_challenge',
  })
  const reference = /spcs_[a-z0-9]{32}/.exec(sent.leadsTo ?? '')![0]
  const attemptId = (await attemptsOf(merchant.tenantId)).at(-1)!.id
  return { merchant, link, browser, path: `/${link.public_id}/${reference}`, reference, attemptId }
}

/** "Pay in another way", pressed on the page of the payment; `attempt` as that page knew it. */
export const otherWay = ({ browser, path }: Pick<Challenged, 'browser' | 'path'>, attempt = '1') =>
  browser.send(`${path}/cancel`, { attempt })

/** The buyer answers the bank, without a notification to us. */
export const answeredUnheard = (attemptId: string, approved = true) =>
  adminSql('sandbox')('select simulator.answer_challenge($1::uuid, $2)', [attemptId, approved])
