import * as z from 'zod'
import { paperWidths, readerActions, receiptLocales } from '../../../drizzle/schema/in-person.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { currency, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { inputTypes } from './contract-inputs.ts'

/** How long a reader waits for a card, or for what else it is asked. */
export const waitSecondsMin = 15
export const waitSecondsMax = 300

const TipQuestion = z
  .strictObject({
    amount: minorString.describe('What the tip is on, in minor units.'),
    currency,
    presets: z
      .array(
        z.strictObject({
          bps: z.int().nullable().describe('The part of `amount`, in basis points; null: an amount.'),
          amount: minorString.describe('What it comes to: rounded half up, in minor units.'),
        }),
      )
      .describe('What the device offers, in this order.'),
    allows_other: z.boolean().describe('Whether the buyer may type an amount, at most `amount`.'),
    allows_none: z.boolean().describe('Whether the buyer may give none.'),
    chosen: z
      .strictObject({
        kind: z.enum(readerActions.chosen.enumValues).describe('A preset, an amount of their own, or none.'),
        amount: minorString.describe('The tip in minor units.'),
      })
      .nullable()
      .describe('What the buyer chose; null before.'),
  })
  .nullable()
  .describe('Of `collect_tip`: what is asked, and the answer. It moves no money.')

const Inputs = z
  .array(
    z.strictObject({
      type: z.enum(inputTypes).describe('What is given.'),
      title: z.string().describe('The question, as the buyer reads it.'),
      description: z.string().nullable().describe('What stands below it; null: nothing.'),
      required: z.boolean().describe('Whether the buyer must answer; otherwise they may skip it.'),
      choices: z
        .array(
          z.strictObject({
            id: z.string().describe('Your own name for it, which is the answer.'),
            text: z.string().describe('What the buyer reads.'),
          }),
        )
        .nullable()
        .describe('Of `selection`: what the buyer chooses from; null elsewhere.'),
    }),
  )
  .nullable()
  .describe('Of `collect_input`: what the buyer is asked, one after the other.')

const Display = z
  .strictObject({
    cart: z
      .strictObject({
        line_items: z
          .array(
            z.strictObject({
              name: z.string().describe('What is bought.'),
              quantity: z.int().min(1).describe('How many of it.'),
              amount_total: minorString.describe('The price for all of them, with IVA; minor units.'),
            }),
          )
          .describe('The lines, in this order.'),
        amount: minorString.describe('What the lines come to, and the tip; minor units.'),
        amount_tip: minorString.describe('The part of it that is a tip, in minor units.'),
        currency,
      })
      .nullable()
      .describe('What is shown; null: the screen is cleared.'),
  })
  .nullable()
  .describe('Of `display`: what the screen shows after that.')

const Print = z
  .strictObject({
    paper: z.enum(paperWidths).describe('The width of its paper.'),
    locale: z.enum(receiptLocales).describe('The language of its words.'),
    path: z.string().describe('Where the reader gets the bytes for its printer.'),
  })
  .nullable()
  .describe('Of `print`: the receipt that is printed.')

/** What is asked beside a payment, for the backend and for the device alike. */
export const inputs = { tip: TipQuestion, inputs: Inputs, display: Display, print: Print }
const noInputs = { tip: null, inputs: null, display: null, print: null }

export const ReaderAction = shown('reader_action', {
  type: z
    .enum(readerActions.type.enumValues)
    .describe(
      'What the reader or the phone was asked to do. Only `process_payment` moves money: any other ends by the word of the device.',
    ),
  status: z
    .enum(readerActions.status.enumValues)
    .describe(
      '`failed`: the card was declined, or the device could not do it. `timed_out`: no card was presented, or nothing done, in time. `unknown`, of a payment: the time is over and the processor has not said how it ended; it is asked until it does, and the reader is free.',
    ),
  reader_id: uuid.describe('The reader, or the phone, that does it.'),
  in_person_payment_id: uuid
    .nullable()
    .describe('What was asked for, or whose receipt is printed; null of other types.'),
  payment_id: uuid
    .nullable()
    .describe('The payment, which says whether money came; null of what takes none.'),
  tip_action_id: uuid
    .nullable()
    .describe('The action by which the buyer chose the tip of the payment; null: none.'),
  ...inputs,
  answers: z
    .array(
      z.strictObject({
        value: z
          .string()
          .nullable()
          .describe(
            'What the buyer gave, of a selection its id; null: skipped. Where a reader of the processor’s own asked, what was typed may be of another form than its input says.',
          ),
      }),
    )
    .nullable()
    .describe(
      'Of `collect_input`, once it has succeeded: what the buyer gave, of each input in order. Null before, and once it is deleted. Events leave it out.',
    ),
  answers_until: timestamp
    .nullable()
    .describe(
      'Until when you can read `answers`: they are deleted a day after the end. Null where there are none.',
    ),
  failure_code: z
    .enum(readerActions.failureCode.enumValues)
    .nullable()
    .describe(
      'Why the card was declined. Of an action that is `canceled`, or takes no payment: why its reader did not take it (`reader_offline`, `reader_busy`, `reader_not_registered`), or gave no answer that can stand here (`reader_failed`). Null otherwise.',
    ),
  step: z
    .enum(readerActions.step.enumValues)
    .nullable()
    .describe('The last step that the reader reported; null while it has reported none.'),
  reported_as: z
    .enum(readerActions.reportedAs.enumValues)
    .nullable()
    .describe('How the reader says that it ended. No money moves because of it.'),
  expires_at: timestamp.describe('Until when a card may be presented, or the rest be done.'),
  ended_at: timestamp.nullable().describe('When it ended; null before.'),
}).meta({ id: 'ReaderAction' })

export const readerId = '0190a6d2-7c3e-7b1a-9f00-000000000061'
export const exampleAction = exampleOf('reader_action', '0190a6d2-7c3e-7b1a-9f00-000000000065', {
  type: 'process_payment',
  status: 'in_progress',
  reader_id: readerId,
  in_person_payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000066',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  tip_action_id: null,
  ...noInputs,
  answers: null,
  answers_until: null,
  failure_code: null,
  step: null,
  reported_as: null,
  expires_at: '2026-06-13T12:05:00.000Z',
  ended_at: null,
})

/** The same of what takes no payment. */
export const exampleAsking = { ...exampleAction, in_person_payment_id: null, payment_id: null }
