import { tableSessions } from '../../../drizzle/schema/table-pay.ts'
import { expect } from '../../../src/kernel/plan.ts'
import { lineOf, linesAlone, type Sold, soldAs, tipped } from '../../order/lines/api-pure.ts'
import type { HostedOrigin, Part, Sale } from '../../page/hosted-payment/api.ts'
import { sharesMost } from './contract.ts'
import { tableSession } from './facts.ts'
import { type LeadsOn, type SessionRow, sessionForSale, sessions } from './store.ts'
import { states, words } from './words.ts'

/** The least that a guest pays by an amount of their own. */
const peso = 100n

const restOf = ({ totalMinor, heldMinor, paidMinor }: SessionRow) => totalMinor - heldMinor - paidMinor

/** The lines that nobody pays yet. */
const freeLinesOf = ({ lines }: SessionRow) =>
  lines.filter(
    ({ status, payment_id, external_payment_id }) =>
      status === 'ordered' && payment_id === null && external_payment_id === null,
  )

/**
 * A part of a bill: lines at what they cost, or an equal share, rounded up to the cent. No part is more than what is left,
 * so that the last payer pays the rest: of lines too, where a discount or others' shares have paid some of them.
 */
function partOf(session: SessionRow, part: Part): Sold | null {
  const restMinor = restOf(session)
  if ('amount' in part) return { amountMinor: BigInt(part.amount), taxes: [] }
  if ('shares' in part) {
    const shares = BigInt(part.shares)
    if (shares < 2n || shares > BigInt(sharesMost)) return null
    const shareMinor = (session.totalMinor + shares - 1n) / shares
    return restMinor > 0n ? { amountMinor: shareMinor < restMinor ? shareMinor : restMinor, taxes: [] } : null
  }
  const chosen = freeLinesOf(session).filter(({ id }) => part.lines.includes(id))
  if (chosen.length !== part.lines.length || restMinor <= 0n) return null
  const sold = soldAs(
    linesAlone(
      chosen.map(({ item_id, name, iva_rate, amount_total }) =>
        lineOf({ item_id, name, quantity: 1, iva_rate, price_includes_tax: true }, BigInt(amount_total)),
      ),
    ),
  )
  if (sold.amountMinor > restMinor) return { amountMinor: restMinor, taxes: [] }
  const lines = sold.order!.lines.map((line, at) => ({
    ...line,
    id: chosen[at]!.id,
    quantity: chosen[at]!.quantity,
  }))
  return { ...sold, order: { lines, parts: [] } }
}

/** Another number wherever guests may choose something else. */
function followedOf(session: SessionRow): string {
  const free = freeLinesOf(session).map(({ id }) => id)
  let sum = 0
  for (const letter of `${session.totalMinor} ${restOf(session)} ${free}`)
    sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0
  return String(sum % 1_000_000_000)
}

/** A guest's tip comes on top of their part, and is no part of the bill. */
const inTips = ({ tipOptions: tips, currency }: SessionRow): Pick<Sale, 'inChoice'> =>
  tips === null
    ? {}
    : {
        inChoice: (asked, _now, part) =>
          part ? tipped(part, tips, asked, currency) : { problem: 'order.closed' },
      }

/** A table's bill as an origin: guests pay it in parts while lines are added. */
export const tableSessionOrigin: HostedOrigin<SessionRow & Partial<LeadsOn>> = {
  ...tableSession,
  ...sessions.origin,
  loadForSale: (publicId) => sessionForSale({ publicId }),
  bounds: ['table_sessions_bounded', 'table_lines_claimed', 'table_sessions_over'],
  condition: ({ originId }) => expect(tableSessions, originId, { status: 'open' }),
  sale: (session) => ({
    originId: session.id,
    publicId: session.publicId,
    termsVersion: session.termsVersion,
    asksVersion: 1,
    policyVersion: session.policyVersion,
    locationId: session.locationId,
    description: session.name,
    amount: {
      amountMinorMin: restOf(session) < peso ? restOf(session) : peso,
      amountMinorMax: restOf(session),
      presetsMinor: [restOf(session)],
    },
    shared: {
      lines: freeLinesOf(session).map(({ id, name, quantity, amount_total }) => ({
        id,
        name: quantity === 1 ? name : `${quantity} × ${name}`,
        amountMinor: BigInt(amount_total),
      })),
      sharesMax: sharesMost,
      sharesUsual: session.guestsCount,
      followed: followedOf(session),
      inPart: (part) => partOf(session, part),
      tips: session.tipOptions,
    },
    ...inTips(session),
    currency: session.currency,
    methods: session.paymentMethodTypes,
    captureMethod: 'automatic',
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb',
    merchantMarkupBps: 0,
    exclusive: false,
    expiresAt: null,
    pushDaysMax: 1,
  }),
  closedBecause(session) {
    if (session.status === 'void' || session.status === 'merged') return session.status
    if (session.status === 'closed') return 'settled'
    if (session.totalMinor === 0n) return 'empty'
    if (session.paidMinor === session.totalMinor) return 'settled'
    return restOf(session) === 0n ? 'taken' : null
  },
  passwordHashOf: ({ pinHash }) => pinHash,
  asksPin: true,
  leadsTo: ({ leadsTo = null }) => leadsTo,
  states,
  words,
  // The database counts what is paid, and the bill is closed by the merchant.
  onSuccess: () => ({ writes: [], events: [] }),
}
