import * as z from 'zod'
import { examplePayment, Payment } from './contract.ts'

/** A payment that the merchant's own server has asked for, with what its buyer must do first. */
export const TakenPayment = Payment.extend({
  next_action: z
    .strictObject({
      type: z.literal('redirect_to_url').describe('Send the buyer to an address.'),
      url: z
        .url()
        .describe('Leads to the bank, and back to the page of what is sold, which says how it ended.'),
    })
    .nullable()
    .describe('With `requires_action`: the bank asks the buyer to confirm. Null: nothing is left to do.'),
}).meta({ id: 'TakenPayment' })

export const exampleTaken = { ...examplePayment, next_action: null } as const
