import * as z from 'zod'
import { cepUrl } from '../kernel/cep.ts'

/** Where a SPEI transfer is proved, and what is typed there. */
export const cep = z
  .strictObject({
    url: z
      .literal(cepUrl)
      .describe('Banco de México’s page for proofs (CEP); it has no address of one proof.'),
    operated_on: z.iso
      .date()
      .describe(
        'The banks’ day of the transfer; of one that you sent, the bank day on which it was reported.',
      ),
    clave_rastreo: z.string().describe('Its tracking key.'),
    sender_bank_name: z.string().nullable().describe('The bank that sent it; null where it is not known.'),
    receiver_bank_name: z
      .string()
      .nullable()
      .describe('The bank that received it; null for an unknown code.'),
  })
  .nullable()
  .describe(
    'How to get the transfer’s proof of Banco de México: type these there, with `amount` and the CLABE. Null for what is not paid by SPEI. Transfers of the sandbox have no proof.',
  )

export const exampleCep = {
  url: cepUrl,
  operated_on: '2026-06-15',
  clave_rastreo: 'SBX0123456789ABCDEF01234567',
  sender_bank_name: null,
  receiver_bank_name: 'Banorte (Ixe)',
} as const
