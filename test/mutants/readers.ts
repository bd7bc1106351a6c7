import { exclusive, type Mutant, stack, unit } from './mutant.ts'

const adapter = ['stripe/terminal.test.ts'] as const

/** Readers of a processor's own. */
export const readers: readonly Mutant[] = [
  unit(
    'a PaymentIntent that its reader has left is ended',
    'src/processors/stripe/readers.ts',
    'return !isAtWork(await stripe.terminal.readers.retrieve(id, {}, reading), intent)',
    'return false',
    adapter,
  ),
  unit(
    'a look lets go of no approved card',
    'src/processors/stripe/intents.ts',
    'awaitsCard(after) || isOver(after, now) ? await end(stripe, reference, after) : after',
    'await end(stripe, reference, after)',
    adapter,
  ),
  unit(
    'a reader at work on another PaymentIntent has left this one',
    'src/processors/stripe/readers.ts',
    ' && presentedOf(reader) === intent.id',
    '',
    adapter,
  ),
  unit(
    'what a reader does not take is ended at Stripe',
    'src/processors/stripe/terminal.ts',
    'return stateOf(await end(stripe, reference, intent))',
    'return stateOf(intent)',
    adapter,
  ),
  unit(
    'a reader is freed of what was canceled',
    'src/processors/stripe/intents.ts',
    `if (ended.status === 'canceled') await freeReader(stripe, reference, intent)`,
    '',
    adapter,
  ),
  unit(
    'a card that was declined at a phone is followed by no other',
    'src/processors/stripe/states.ts',
    '!intent.last_payment_error',
    'true',
    adapter,
  ),
  unit(
    'a phone has no secret of what a reader waits for',
    'src/processors/stripe/terminal.ts',
    ' && !(readerKey in intent.metadata)',
    '',
    adapter,
  ),
  unit(
    'a reader of another account is not believed',
    'src/processors/stripe/index.ts',
    'const facts = await believed(presentedRef, await adapter.attemptBehind(id))',
    'const facts = await adapter.attemptBehind(id)',
    adapter,
  ),
  exclusive(
    'a phone gets no secret of an action that is over',
    'functions/in-person/terminal/operations.ts',
    `if (paymentId === null || status !== 'in_progress' || expiresAt <= call.now)`,
    'if (paymentId === null)',
    ['integration/stripe-tap-to-pay.exclusive.test.ts', 'charges the card that is tapped'],
  ),
  stack(
    'a registered reader takes payments alone',
    'functions/in-person/terminal/plan-actions.ts',
    `if (device.processorRef !== null) return refuse('reader_pays_alone')`,
    '',
    ['integration/terminal/registered.test.ts', 'takes a card, and does nothing else'],
  ),
  stack(
    'a registration ends with its pairing',
    'functions/in-person/devices/plan.ts',
    'const over = { pairedAt: null, processorRef: null, processorAccountId: null } as const',
    'const over = { pairedAt: null } as const',
    ['integration/terminal/registered.test.ts', 'again once it is unpaired'],
  ),
  exclusive(
    'a reader takes money for its own account alone',
    'functions/in-person/terminal/plan.ts',
    'processorRef === null || processorAccountId !== accountId',
    'processorRef === null',
    ['integration/stripe-terminal.exclusive.test.ts', 'a reader stays with its account'],
  ),
]
