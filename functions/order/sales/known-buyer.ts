import * as z from 'zod'
import { emailAddress, freeText } from '../../../src/http/schemas.ts'
import { type Refusal, refuse } from '../../../src/kernel/plan.ts'

/** A buyer whom the merchant knows already: a request that names them, and the columns of what is sold. */
interface Asked {
  readonly customer_email?: string | null | undefined
  readonly customer_name?: string | null | undefined
}
interface Known {
  readonly customerEmail: string | null
  readonly customerName: string | null
}

const shownToAll = 'Everyone who opens the page sees it, and can change it there.'

export const knownAsked = {
  customer_email: emailAddress
    .nullable()
    .describe(`The buyer’s e-mail address, to fill in the page’s field beforehand. ${shownToAll}`),
  customer_name: freeText(100)
    .trim()
    .min(1)
    .nullable()
    .describe(
      `The buyer’s name, to fill in the page’s field; beside \`customer_email\` alone. ${shownToAll}`,
    ),
}

export const knownOfNew = {
  customer_email: knownAsked.customer_email.default(null),
  customer_name: knownAsked.customer_name.default(null),
}

const leftOut =
  'Null in replays, and once a customer with this address, or the customer who is to pay, is erased.'

export const knownShown = {
  customer_email: z
    .string()
    .nullable()
    .describe(`The address that you gave for the page’s field. ${leftOut}`),
  customer_name: z.string().nullable().describe(`The name that you gave for the page’s field. ${leftOut}`),
}

export const knownExample = { customer_email: null, customer_name: null } as const

export const presentKnown = ({ customerEmail, customerName }: Known) => ({
  customer_email: customerEmail,
  customer_name: customerName,
})

/** The same without the person, as replies are stored. */
export const unknownBuyer = { customer_email: null, customer_name: null }

/** Who is known after a request. A name goes with its address: erasing a person finds it by that. */
export function knownAfter(
  asked: Asked,
  before: Known = { customerEmail: null, customerName: null },
): Known | Refusal<'parameter_invalid'> {
  const { customer_email: email = before.customerEmail, customer_name: name } = asked
  const customerName = name === undefined ? (email === null ? null : before.customerName) : name
  if (customerName === null || email !== null) return { customerEmail: email, customerName }
  return refuse('parameter_invalid', {
    param: 'customer_name',
    message: 'A customer_name goes with a customer_email.',
  })
}
