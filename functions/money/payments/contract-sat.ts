import * as z from 'zod'
import { satPaymentForms } from './sat-payment-form.ts'

export const SatPaymentForm = z
  .enum(satPaymentForms)
  .nullable()
  .describe(
    'What an invoice says of how it is paid, by the catalog c_FormaPago of the SAT: `01` cash at OXXO, `03` SPEI, `04` a credit card, `28` a debit or prepaid card. Null where the kind of card is not known.',
  )
