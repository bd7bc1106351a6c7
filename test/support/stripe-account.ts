import type Stripe from 'stripe'

/** A Stripe account as its owner has set it up: what is off in its Dashboard is not offered. */
export interface AccountSettings {
  country: string
  chargesEnabled: boolean
  capabilities: Partial<
    Record<'card_payments' | 'oxxo_payments' | 'mx_bank_transfer_payments', 'active' | 'inactive' | 'pending'>
  >
  /** What its owner has switched off in the Dashboard. */
  readonly off: Set<keyof typeof capabilityOf>
  /** Whether cards are offered terms. */
  installments: boolean
  /** How transfers are applied for customers without a setting of their own. */
  reconciliationMode: 'automatic' | 'manual'
}

export const newSettings = (): AccountSettings => ({
  country: 'MX',
  chargesEnabled: true,
  capabilities: { card_payments: 'active', oxxo_payments: 'active', mx_bank_transfer_payments: 'active' },
  off: new Set(),
  installments: true,
  reconciliationMode: 'automatic',
})

/** The capability that a method needs: https://docs.stripe.com/connect/account-capabilities. */
export const capabilityOf = {
  card: 'card_payments',
  card_present: 'card_payments',
  oxxo: 'oxxo_payments',
  customer_balance: 'mx_bank_transfer_payments',
} as const

export const accountOf = (id: string, settings: AccountSettings): Stripe.Account => ({
  id,
  object: 'account',
  business_profile: null,
  business_type: null,
  capabilities: { ...settings.capabilities, transfers: 'active' },
  charges_enabled: settings.chargesEnabled,
  controller: { type: 'account' },
  country: settings.country,
  created: 1_700_000_000,
  default_currency: 'mxn',
  details_submitted: true,
  email: 'owner@example.com',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
})

/** The mode of a key: https://docs.stripe.com/keys. Keys of another form are live ones here. */
export const isLive = (secretKey: string) => !/^[sr]k_test_/.test(secretKey)

/** The account's own switches: https://docs.stripe.com/api/payment_method_configurations/object. */
export function switchesOf(settings: AccountSettings, livemode: boolean): Stripe.PaymentMethodConfiguration {
  const of = (method: keyof typeof capabilityOf) => {
    const value = settings.off.has(method) ? 'off' : 'on'
    const available = value === 'on' && settings.capabilities[capabilityOf[method]] === 'active'
    return { available, display_preference: { overridable: null, preference: value, value } } as const
  }
  return {
    id: 'pmc_default',
    object: 'payment_method_configuration',
    active: true,
    application: null,
    card: of('card'),
    customer_balance: of('customer_balance'),
    is_default: true,
    livemode,
    name: 'Default',
    oxxo: of('oxxo'),
    parent: null,
  }
}
