import type Stripe from 'stripe'
import type { CardReading } from '../../../drizzle/schema/payments.ts'

const entryModes: Readonly<Record<string, CardReading['entry_mode']>> = {
  contact_emv: 'contact_emv',
  contactless_emv: 'contactless_emv',
  contactless_magstripe_mode: 'contactless_emv',
  magnetic_stripe_fallback: 'magnetic_stripe_fallback',
  magnetic_stripe_track2: 'magnetic_stripe_fallback',
}

const verifications: Readonly<Record<string, CardReading['cardholder_verification']>> = {
  offline_pin: 'pin',
  online_pin: 'pin',
  offline_pin_and_signature: 'signature',
  signature: 'signature',
}

/** How a reader of Stripe read a card, where Stripe says all that a receipt must say of it. A wallet asks on the device. */
export function readingOf({
  read_method: method,
  receipt,
  wallet,
}: Stripe.Charge.PaymentMethodDetails.CardPresent): { readonly reading?: CardReading } {
  const entry_mode = entryModes[method ?? '']
  const code = receipt?.authorization_code
  if (!entry_mode || !receipt || !code) return {}
  const verified = verifications[receipt.cardholder_verification_method ?? '']
  return {
    reading: {
      entry_mode,
      cardholder_verification: verified ?? (wallet ? 'on_device' : 'none'),
      receipt: {
        authorization_code: code,
        application_preferred_name: receipt.application_preferred_name,
        dedicated_file_name: receipt.dedicated_file_name,
        application_cryptogram: receipt.application_cryptogram,
        terminal_verification_results: receipt.terminal_verification_results,
        transaction_status_information: receipt.transaction_status_information,
      },
    },
  }
}
