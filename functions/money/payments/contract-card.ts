import * as z from 'zod'
import { cardholderVerifications, entryModes } from '../../../drizzle/schema/payments.ts'

export const Card = z.strictObject({
  brand: z.string().describe('The card network: visa, mastercard …'),
  last4: z.string().describe('The last four digits.'),
  bin6: z.string().describe('The first six digits: they name the bank.'),
  funding: z.string().describe('credit, debit or prepaid.'),
})

const emv = (what: string) => z.string().nullable().describe(`${what}; null for a magnetic stripe.`)

/** A card that was presented to a device, with what a printed receipt says of it. */
export const PresentedCard = Card.extend({
  reading: z
    .strictObject({
      entry_mode: z
        .enum(entryModes)
        .describe('`magnetic_stripe_fallback`: the chip could not be read, and the card was swiped.'),
      cardholder_verification: z
        .enum(cardholderVerifications)
        .describe(
          'How the buyer showed that the card is theirs. `on_device`: to their own phone or watch. `signature`: the receipt has a line for it.',
        ),
      receipt: z
        .strictObject({
          authorization_code: z.string().describe('By which the bank knows its approval.'),
          application_preferred_name: emv('The application label that the chip shows'),
          dedicated_file_name: emv('The identifier of the chip’s application (AID)'),
          application_cryptogram: emv('What the chip signed the request with (ARQC)'),
          terminal_verification_results: emv('What the device checked (TVR)'),
          transaction_status_information: emv('Which checks the device made (TSI)'),
        })
        .describe('What a printed receipt must say.'),
    })
    .describe('How the device read the card.'),
}).meta({ id: 'PresentedCard' })

export const exampleCard = {
  brand: 'visa',
  last4: '4242',
  bin6: '424242',
  funding: 'credit',
  reading: {
    entry_mode: 'contact_emv',
    cardholder_verification: 'pin',
    receipt: {
      authorization_code: '482913',
      application_preferred_name: 'VISA CREDITO',
      dedicated_file_name: 'A0000000031010',
      application_cryptogram: '9F2608A1B2C3D4E5',
      terminal_verification_results: '0000040000',
      transaction_status_information: 'E800',
    },
  },
} as const
