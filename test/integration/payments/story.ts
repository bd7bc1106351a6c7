import { expect } from 'vitest'
import type { PaymentBody } from '../../support/authorized.ts'
import { attemptsOf, brokenRules, chargesOf, journalsOf, pageState, paymentsOf } from '../../support/books.ts'
import { call, type Link, type Merchant, openLink, pay } from '../../support/merchant.ts'

/** The payment's public reference in an address. */
export const referenceIn = (location: string | null) => /spcs_[a-z0-9]{32}/.exec(location ?? '')![0]

/** Pays a link as a buyer. Answers where the buyer is sent. */
export async function paid(link: Link, token: string, query = '') {
  const { status, location } = await pay(link.public_id, await openLink(link.public_id, query), token)
  expect(status).toBe(303)
  return location!
}

export const statusOf = async (merchant: Merchant, link: Link) =>
  (await call<Link>('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })).body.status

/** The state of the first payment, as each side sees it. */
export async function ends(merchant: Merchant, link: Link, location: string) {
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  const [payment] = await paymentsOf(merchant.tenantId)
  const attempts = await attemptsOf(merchant.tenantId)
  return {
    payment: payment!.status,
    attempts: attempts.map(({ status }) => status),
    page: (await pageState(location)).state,
    link: await statusOf(merchant, link),
    journals: await journalsOf(merchant.tenantId),
    charges: (await chargesOf(link.public_id)).map(({ state }) => state),
  }
}

/** The payment as the merchant reads it. */
export const paymentAt = async (merchant: Merchant, id: string) =>
  (await call<PaymentBody>('GET', `/v1/payment-operations/payments/${id}`, { bearer: merchant.apiKey })).body

/** The types of its events, in order. */
export const eventsOf = async (merchant: Merchant, id: string) =>
  (
    await call<{ data: { type: string }[] }>('GET', `/v1/payment-operations/payments/${id}/events`, {
      bearer: merchant.apiKey,
    })
  ).body.data.map(({ type }) => type)
