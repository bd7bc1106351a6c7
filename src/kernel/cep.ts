import { addBankDays, type IsoDate, mexicoCityDate } from './bank-days.ts'
import { bankOf } from './banks.ts'

/**
 * Banco de México's page for proofs of SPEI transfers. It documents no address of one proof: a person types there what is
 * beside it here, with the amount and the account that received it.
 */
export const cepUrl = 'https://www.banxico.org.mx/cep/' as const

/** Of a transfer that we had sent; null until it is paid. The bank of the processor that sends is not known to us. */
export function cepOfSent(clave: string | null, clabe: string | null, paidAt: Date | null) {
  if (clave === null || clabe === null || paidAt === null) return null
  return {
    url: cepUrl,
    operated_on: addBankDays(mexicoCityDate(paidAt), 0),
    clave_rastreo: clave,
    sender_bank_name: null,
    receiver_bank_name: bankOf(clabe)?.name ?? null,
  }
}

interface Arrived {
  readonly claveRastreo: string
  readonly operatedOn: IsoDate
  /** The sender's number in SPEI, which ends like the code in its CLABEs: `40012`. */
  readonly senderBank: string
  readonly clabe: string
}

/** Of a transfer that arrived; null where letters of ours stand for its tracking key. */
export const cepOfArrived = ({ claveRastreo, operatedOn, senderBank, clabe }: Arrived) =>
  claveRastreo.startsWith('MASKED')
    ? null
    : {
        url: cepUrl,
        operated_on: operatedOn,
        clave_rastreo: claveRastreo,
        sender_bank_name: /^\d{5}$/.test(senderBank) ? (bankOf(senderBank.slice(-3))?.name ?? null) : null,
        receiver_bank_name: bankOf(clabe)?.name ?? null,
      }
