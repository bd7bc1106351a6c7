import type Stripe from 'stripe'
import type { AskedQuestion, QuestionState, ReaderQuestion } from '../in-person.ts'
import { isMissing, readTimeoutMs } from './client.ts'
import { isOurId } from './params.ts'
import { notTaken, ready } from './screens.ts'

// What a reader of Stripe's asks its buyer: https://docs.stripe.com/terminal/features/collect-inputs

const reading = { timeout: readTimeoutMs }

/** The metadata key of a question in which our action's id stands. */
const actionKey = 'action_id'

/** Our action, of what a reader asks its buyer or has asked last. */
export const askedBy = ({ action }: Pick<Stripe.Terminal.Reader, 'action'>): string | undefined =>
  action?.type === 'collect_inputs' ? action.collect_inputs?.metadata?.[actionKey] : undefined

const inputParams = ({ reference, inputs }: ReaderQuestion) =>
  ({
    inputs: inputs.map(({ type, title, description, required, choices }) => ({
      type,
      required,
      custom_text: { title, ...(description !== null && { description }) },
      ...(choices && { selection: { choices: choices.map(({ id, text }) => ({ id, text })) } }),
    })),
    metadata: { [actionKey]: reference },
  }) satisfies Stripe.Terminal.ReaderCollectInputsParams

type Collected = NonNullable<
  NonNullable<Stripe.Terminal.Reader['action']>['collect_inputs']
>['inputs'][number]

function givenAt({ type, skipped, selection, ...typed }: Collected): string | null {
  if (skipped) return null
  if (type === 'selection') return selection?.id ?? null
  return typed[type as 'email' | 'phone' | 'numeric' | 'text']?.value ?? null
}

/** Asks the buyer at a reader. Stripe answers when the reader has it; what was given is read later. */
export async function ask(stripe: Stripe, question: ReaderQuestion): Promise<QuestionState> {
  const { reference, readerRef } = question
  try {
    const reader = await ready(stripe, readerRef)
    if ('state' in reader) return reader
    // A reader has one action at a time: that of a question which stayed behind is over.
    const before = reader.action?.status === 'in_progress' ? askedBy(reader) : undefined
    if (isOurId(before) && before !== reference) await take(stripe, question)
    const options = { ...reading, idempotencyKey: `${reference}:ask` }
    return heard(
      await stripe.terminal.readers.collectInputs(readerRef, inputParams(question), options),
      reference,
    )
  } catch (error) {
    return notTaken(reference, error)
  }
}

/** What a reader says of a question, read there. */
export async function answerTo(
  stripe: Stripe,
  { reference, readerRef }: AskedQuestion,
): Promise<QuestionState> {
  try {
    return heard(await stripe.terminal.readers.retrieve(readerRef, {}, reading), reference)
  } catch (error) {
    return isMissing(error) ? gone : { state: 'unknown' }
  }
}

const gone = { state: 'failed', deviceFailure: 'reader_not_registered' } as const

function heard(
  reader: Stripe.Terminal.Reader | Stripe.Terminal.DeletedReader,
  reference: string,
): QuestionState {
  if (reader.deleted) return gone
  // The question is not there yet, or something came after it: neither says what its buyer gave.
  if (askedBy(reader) !== reference) return { state: 'unknown' }
  const { status, collect_inputs } = reader.action!
  if (status === 'in_progress') return { state: 'asked' }
  return status === 'succeeded'
    ? { state: 'answered', answers: collect_inputs!.inputs.map(givenAt) }
    : { state: 'failed', deviceFailure: 'reader_failed' }
}

/** Takes a question that is over off its reader's screen. What fails is left there: an answer to it changes nothing. */
export async function withdraw(stripe: Stripe, asked: AskedQuestion): Promise<void> {
  const { state } = await answerTo(stripe, asked)
  if (state === 'asked') await take(stripe, asked).catch(() => undefined)
}

const take = (stripe: Stripe, { reference, readerRef }: AskedQuestion) =>
  stripe.terminal.readers.cancelAction(
    readerRef,
    {},
    { ...reading, idempotencyKey: `${reference}:withdraw:${crypto.randomUUID()}` },
  )
