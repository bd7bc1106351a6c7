/**
 * What Stripe takes of a sale on an account in Mexico, before IVA, and when its money is there. Not part of the Worker: a
 * test refuses a fee schedule of live that charges less than this anywhere, or makes a balance available earlier.
 * Published: the terms of 3 and 6 months (https://docs.stripe.com/payments/mx-installments#fees), the days of OXXO
 * (https://docs.stripe.com/payments/oxxo) and SPEI (https://docs.stripe.com/payments/bank-transfers), the fee for a
 * dispute (https://support.stripe.com/questions/dispute-and-fraud-in-mexico-faq). The other figures are of Stripe's price
 * list as third parties repeat it: put those of the contract here before live takes money.
 */
export const stripeCosts = {
  asOf: '2026-11-24',
  currency: 'mxn',
  card: { rateBps: 360, fixedMinor: 300n, settledBankDays: 3 },
  /** No price of Terminal in Mexico is published: as a card online, until the contract says less. */
  card_present: { rateBps: 360, fixedMinor: 300n, settledBankDays: 3 },
  /** What a card of another country costs beside that. */
  foreignCardBps: 50,
  /** Beside the card's cost; only Mexican cards have terms. */
  installments: { 3: 500, 6: 750, 9: 1_000, 12: 1_250 },
  oxxo: { rateBps: 360, fixedMinor: 300n, settledBankDays: 4 },
  spei: { rateBps: 0, fixedMinor: 700n, settledBankDays: 3 },
  /** For each dispute; back once it is won. In Mexico nothing is taken for the answer to one. */
  disputeMinor: 15_000n,
} as const
