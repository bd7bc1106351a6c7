import * as z from 'zod'
import { freeText, passwordText } from '../../../src/http/schemas.ts'
import { collectedShown, collectsAsked, collectsShown, returnUrl } from '../../order/sales/api-pure.ts'

export const domainsMax = 20

const domain = freeText(253)
  .toLowerCase()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
    'must be a domain: empresa.mx',
  )

const says = {
  success_url: 'Where the buyer may go once it is paid.',
  success_message: 'What the buyer reads on the page of the payment once it is paid.',
  payer_email_domains:
    'Domains of e-mail addresses: the buyer must give an address of one of them; null for any.',
}

/** Who may pay, and what comes after: in a request. */
export const payerAsked = {
  success_url: returnUrl.describe(
    `${says.success_url} Its origin stands in \`return_origins\` of the checkout settings. \`{payment}\` in it becomes the public id of the payment, by which \`GET /v1/payment-operations/payments/:id\` finds it.`,
  ),
  success_message: freeText(1_000).trim().min(1).nullable().describe(says.success_message),
  payer_email_domains: z
    .array(domain)
    .min(1)
    .max(domainsMax)
    .refine((list) => new Set(list).size === list.length, 'must not name a domain twice')
    .nullable()
    .describe(`${says.payer_email_domains} The address is not verified.`),
  collects: collectsAsked.describe(
    'What the page asks of the buyer, beside the payment; null: nothing more. A change holds for forms that are open too.',
  ),
  password: passwordText
    .min(4)
    .nullable()
    .describe(
      'What buyers must type before they see what is paid; null: nothing. It is kept as a hash and not shown again.',
    ),
}

/** In a request that makes the link. */
export const payerOfNew = {
  success_url: payerAsked.success_url.default(null),
  success_message: payerAsked.success_message.default(null),
  payer_email_domains: payerAsked.payer_email_domains.default(null),
  collects: payerAsked.collects.default(null),
  password: payerAsked.password.default(null),
}

/** In a reply. */
export const payerShown = {
  success_url: z.string().nullable().describe(says.success_url),
  success_message: z.string().nullable().describe(says.success_message),
  payer_email_domains: z.array(z.string()).nullable().describe(says.payer_email_domains),
  collects: collectsShown,
  collected: collectedShown.describe(
    'What the buyer gave with the last attempt to pay a single-use link; null before, once the customer is erased, and in replays. Of others: `GET /v1/payment-links/:id/collected`.',
  ),
  has_password: z.boolean().describe('Whether buyers must type a password first.'),
}

/** As an example shows it. */
export const payerExample = {
  success_url: null,
  success_message: null,
  payer_email_domains: null,
  collects: null,
  collected: null,
  has_password: false,
} as const
