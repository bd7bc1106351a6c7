import { randomInt } from 'node:crypto'
import { answerBank } from './bank.ts'
import { type Link, type Merchant, newLink, newNetwork } from './merchant.ts'
import { adminSql, stack } from './stack.ts'
import type { Turnstile } from './turnstile.ts'

// Who tries out stolen cards at a link, and who pays there honestly.

/** A link, as it is seen from a network. */
export type Place = { readonly link: Link; readonly network: string }

export const stolen = (at: number) => `tok_sbx_stolen_${String(at).padStart(4, '0')}`
export const good = (at: number) => `tok_sbx_approve_${String(at).padStart(4, '0')}`

export const newPlace = async (merchant: Merchant, fields: object = {}): Promise<Place> => ({
  link: await newLink(merchant, { usage: 'multi_use', payment_method_types: ['card', 'oxxo'], ...fields }),
  network: newNetwork(),
})

/** Opens the page from the place. */
export async function opens({ link, network }: Place) {
  const page = await fetch(`${stack.sandbox.directUrl}/${link.public_id}`, {
    headers: { 'cf-connecting-ip': network },
  })
  const { quote = '', attempt_key = '' } = carried(await page.text())
  return { status: page.status, form: { quote, attempt_key } }
}

/** Sends a form from the place. */
export async function sends({ link, network }: Place, fields: Record<string, string>) {
  const response = await fetch(`${stack.sandbox.directUrl}/${link.public_id}/attempts`, {
    method: 'POST',
    body: new URLSearchParams({ locale: 'en', ...fields }),
    redirect: 'manual',
    headers: { 'cf-connecting-ip': network },
  })
  const html = await response.text()
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    html,
    headers: response.headers,
  }
}

/** Tries a card as a buyer who has just opened the page. Answers where it led. */
export async function tries(place: Place, token: string, email?: string) {
  const { form } = await opens(place)
  const fields = { ...form, card_token: token, ...(email ? { receipt_email: email } : {}) }
  const { status, location } = await sends(place, fields)
  if (status === 403) return 'asked'
  if (/[?&]error=cards_paused/.test(location)) return 'paused'
  return /spcs_[a-z0-9]{32}/.test(location) ? 'tried' : `${status} ${location}`
}

/** The fields of the form that a page carries on. */
export const carried = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )

/** A person who wants to pay, and does what the pages ask. Answers how it went: `paid`, or the status that stopped them. */
export async function pays(place: Place, turnstile: Turnstile): Promise<string> {
  const page = await opens(place)
  if (page.status !== 200) return `page ${page.status}`
  let sent = await sends(place, { ...page.form, card_token: good(randomInt(10_000)) })
  if (sent.status === 403) {
    const token = turnstile.solve(place.link.public_id)
    sent = await sends(place, { ...carried(sent.html), 'cf-turnstile-response': token })
  }
  const reference = /spcs_[a-z0-9]{32}/.exec(sent.location)?.[0]
  if (sent.status !== 303 || !reference) return `form ${sent.status} ${sent.location}`
  const [attempt] = await adminSql('sandbox')<{ id: string; status: string }>(
    `select a.id, a.status from payments p join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id
     where p.public_id = $1`,
    [reference],
  )
  if (attempt!.status === 'pending_customer') await answerBank(attempt!.id, 'approve')
  const [paid] = await adminSql('sandbox')<{ status: string }>(
    'select status from payments where public_id = $1',
    [reference],
  )
  return paid!.status === 'succeeded' ? 'paid' : `payment ${paid!.status}`
}

/** How the attempts of a merchant stand, in the order in which they were made. */
export const attemptsOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ status: string }>(
      'select status from payment_attempts where tenant_id = $1 order by created_at, id',
      [tenantId],
    )
  ).map(({ status }) => status)

/** The moments of all tries lie so much further back. */
export const pass = ({ tenantId }: Merchant, interval: string) =>
  adminSql('sandbox')(
    `with moved as (update card_tries set created_at = created_at - $2::interval where tenant_id = $1)
     update payment_attempts set created_at = created_at - $2::interval where tenant_id = $1`,
    [tenantId, interval],
  )

export const inTurn = async (place: Place, count: number, from = 0) => {
  const led: string[] = []
  for (let at = 0; at < count; at++) led.push(await tries(place, stolen(from + at)))
  return led
}
