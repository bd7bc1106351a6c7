import type { CardReading } from '../../../drizzle/schema/payments.ts'
import type { TestCard } from './cards.ts'

type Read = Pick<CardReading, 'entry_mode' | 'cardholder_verification'> & {
  /** What the device checked, and which checks it made; null where no chip was read. */
  readonly checks: { readonly tvr: string; readonly tsi: string } | null
}

/** What a buyer does with a card, and how the device reads it then. */
const readings = {
  tap: {
    entry_mode: 'contactless_emv',
    cardholder_verification: 'none',
    checks: { tvr: '0000000000', tsi: '0000' },
  },
  tap_with_pin: {
    entry_mode: 'contactless_emv',
    cardholder_verification: 'pin',
    checks: { tvr: '0000040000', tsi: '0000' },
  },
  tap_with_phone: {
    entry_mode: 'contactless_emv',
    cardholder_verification: 'on_device',
    checks: { tvr: '0000000000', tsi: '0000' },
  },
  insert_with_pin: {
    entry_mode: 'contact_emv',
    cardholder_verification: 'pin',
    checks: { tvr: '0000040000', tsi: 'E800' },
  },
  swipe_with_signature: {
    entry_mode: 'magnetic_stripe_fallback',
    cardholder_verification: 'signature',
    checks: null,
  },
} as const satisfies Readonly<Record<string, Read>>

export type PresentedAs = keyof typeof readings

/** The identifier of each network's application, as chips have it. */
const applications: Readonly<Record<string, string>> = {
  visa: 'A0000000031010',
  mastercard: 'A0000000041010',
  amex: 'A00000002501',
}

const funded: Readonly<Record<string, string>> = { credit: 'CREDITO', debit: 'DEBITO', prepaid: 'PREPAGO' }

/** What a device says of a card that it has read: the same for the same charge, however often it is asked. */
export function readingOf(
  { brand, funding }: Pick<TestCard, 'brand' | 'funding'>,
  as: PresentedAs,
  reference: string,
): CardReading {
  const { entry_mode, cardholder_verification, checks }: Read = readings[as]
  const digits = reference.replaceAll('-', '').slice(-16).toUpperCase()
  const code = (BigInt(`0x${digits}`) % 1_000_000n).toString().padStart(6, '0')
  return {
    entry_mode,
    cardholder_verification,
    receipt: {
      authorization_code: code,
      application_preferred_name: checks && `${brand.toUpperCase()} ${funded[funding]}`,
      dedicated_file_name: checks && applications[brand]!,
      application_cryptogram: checks && digits,
      terminal_verification_results: checks && checks.tvr,
      transaction_status_information: checks && checks.tsi,
    },
  }
}
