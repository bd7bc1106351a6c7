import { toMinorString } from '../../src/kernel/money.ts'

interface Account {
  readonly currency: string
  readonly code: string
  readonly balanceMinor: bigint
}

/** The merchant's balances from the ledger's accounts, by currency. */
export const presentBalance = (accounts: readonly Account[]) => ({
  object: 'balance' as const,
  currencies: [...new Set(accounts.map(({ currency }) => currency))].map((currency) => {
    const of = (code: string) =>
      toMinorString(
        accounts.find((each) => each.currency === currency && each.code === code)?.balanceMinor ?? 0n,
      )
    return {
      currency,
      available: of('merchant_available'),
      pending: of('merchant_pending'),
      reserve: of('merchant_reserve'),
      in_flight: {
        refunds: of('refunds_in_flight'),
        transfers: of('transfers_in_flight'),
        payouts: of('payouts_in_flight'),
      },
      held: of('dispute_hold'),
      unapplied: of('unapplied_funds'),
    }
  }),
})
