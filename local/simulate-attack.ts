import { setTimeout as delay } from 'node:timers/promises'
import { ask, newLink, type Sandbox } from './simulate.ts'

/** The cards that are tried before half a minute passes, and at most. */
const [atOnce, most] = [45, 60]

const cardAt = (at: number) => `tok_sbx_stolen_${String(at).padStart(4, '0')}`

/** What buyers' questions of their bank count as once they are left open for so long. */
const halfAMinute = () => delay(31_000)

type Payment = { id: string; status: string }

/** Tries a card at a link as a program does. Answers whether cards pause there. */
async function isPaused({ baseUrl }: Sandbox, publicId: string, cardToken: string): Promise<boolean> {
  const page = await (await fetch(`${baseUrl}/${publicId}`)).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const form = {
    quote: field('quote'),
    attempt_key: field('attempt_key'),
    card_token: cardToken,
    locale: 'en',
  }
  const response = await fetch(`${baseUrl}/${publicId}/attempts`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  await response.text()
  // Where a deployment has Turnstile, the page asks for a person instead.
  if (response.status === 403 || /[?&]error=cards_paused/.test(response.headers.get('location') ?? ''))
    return true
  if (response.status !== 303) throw new Error(`the page answered ${response.status}`)
  return false
}

/**
 * Tries stolen cards at a link of its own, one after the other from one network, until cards pause there, and says what came of
 * them. No event tells of it: the payments do, and the risk of each.
 * @throws Error where cards do not pause
 */
export async function attack(
  sandbox: Sandbox,
  say: (line: string) => void,
  wait: () => Promise<unknown> = halfAMinute,
): Promise<void> {
  const link = await newLink(sandbox, { usage: 'multi_use', payment_method_types: ['card', 'oxxo'] })
  say(`Stolen cards are tried at ${sandbox.baseUrl}/${link.public_id}`)
  let tried = 0
  while (!(await isPaused(sandbox, link.public_id, cardAt(tried)))) {
    tried++
    if (tried === atOnce) {
      say(`${tried} cards were tried; half a minute without an answer to the bank counts as a failed card`)
      await wait()
    }
    if (tried === most) throw new Error(`cards do not pause after ${most} stolen ones`)
  }
  const path = `/v1/payment-links/${link.id}/payments?limit=100`
  const { data } = await ask<{ data: Payment[] }>(sandbox, path, undefined, 'GET')
  const asked = data.filter(({ status }) => status === 'requires_action').length
  say(`${data.length - asked} were declined, then the bank asked to confirm ${asked}`)
  say('Now cards pause at this link for this network: the page offers what else it takes')
  say(`What was known of the last one: GET /v1/intelligence/payments/${data[0]!.id}/risk`)
}
