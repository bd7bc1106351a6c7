import './seed.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capturedMinor, disputeFee, World } from '../support/refund-world.ts'

/** What happens, in its own fixed order; the tests interleave several of these in every order. */
type Step = readonly [name: string, run: (world: World) => void]
type Script = readonly Step[]

const step = (name: string, run: (world: World) => void): Step => [name, run]

/** Both sides must agree on the payment in the end, whatever the order of notifications. */
function disagreements(world: World): string[] {
  const { payment, refunds, disputes } = world
  const wrong: string[] = []
  const same = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) wrong.push(`${what}: ${ours}, and outside ${theirs}`)
  }
  const atProcessor = [...world.atProcessor.values()]
  for (const { ref, ours, state } of atProcessor) {
    const booked = refunds.filter(({ id, processorRef }) => (ours ? id : processorRef) === ref)
    // A refund that failed before we learned of it was never in the books.
    if (ours || state !== 'failed' || booked.length > 0)
      same(ref, booked.map(({ status }) => status).join(), state)
  }
  for (const { id, processorRef, status } of refunds)
    if (!world.atProcessor.has(id) && !world.atProcessor.has(processorRef ?? '')) same(id, status, 'canceled')
  const refundsOf = (...states: string[]) => atProcessor.filter(({ state }) => states.includes(state))
  const refunded = totalOf(refundsOf('processing', 'succeeded'), 'amountMinor')
  same('refunded', payment.amountRefundedMinor, refunded)

  const claims = [...world.atBank.values()]
  same('disputes', disputes.length, claims.length)
  for (const { processorRef, status } of disputes)
    same(processorRef, status, world.atBank.get(processorRef)!.state)
  const takenBy = (...statuses: string[]) =>
    totalOf(
      disputes.filter(({ status }) => statuses.includes(status)),
      'heldMinor',
    )
  // First what was refunded, then the banks' claims to the rest.
  const claimed = totalOf(
    claims.filter(({ state }) => state !== 'won'),
    'claimedMinor',
  )
  const left = capturedMinor - refunded
  const taken = lesser(claimed, left)
  same('held and lost', takenBy(...open, 'lost'), taken)
  same('disputed', payment.amountDisputedMinor, taken)
  same('open', payment.openDisputesCount, claims.filter(({ state }) => open.includes(state)).length)

  const { balances } = world
  // Each that is not won costs its fee once, however often the bank changed its mind.
  const dear = BigInt(claims.filter(({ state }) => state !== 'won').length)
  const fees = [dear * disputeFee.feeMinor, dear * disputeFee.ivaMinor] as const
  same('fees', balances.fee_expense ?? 0n, fees[0])
  same('IVA on fees', balances.iva_on_fees ?? 0n, fees[1])
  same('available', balances.merchant_available ?? 0n, -refunded - taken - fees[0] - fees[1])
  same('in flight', balances.refunds_in_flight ?? 0n, totalOf(refundsOf('processing'), 'amountMinor'))
  same('held', balances.dispute_hold ?? 0n, takenBy(...open))
  const succeeded = totalOf(refundsOf('succeeded'), 'amountMinor')
  same('outside', balances.processor_clearing ?? 0n, succeeded + takenBy('lost'))
  return wrong
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const open = ['needs_response', 'under_review']

const totalOf = <K extends string>(rows: readonly { readonly [key in K]: bigint }[], key: K): bigint =>
  rows.reduce((total, row) => total + row[key], 0n)

function play(steps: readonly Step[]): void {
  const told = () => steps.map(([name]) => name).join(', ')
  const world = new World()
  try {
    for (const [, run] of steps) run(world)
    world.settle()
  } catch (error) {
    throw new Error(told(), { cause: error })
  }
  const wrong = disagreements(world)
  if (wrong.length > 0) throw new Error(`${told()}\n${wrong.join('\n')}`)
}

/** Every interleaving of the scripts; each keeps its own order. */
function* mergedOf(scripts: readonly Script[]): Generator<Step[]> {
  const left = scripts.filter(({ length }) => length > 0)
  if (left.length === 0) yield []
  for (const script of left) {
    const rest = left.map((each) => (each === script ? each.slice(1) : each))
    for (const merged of mergedOf(rest)) yield [script[0]!, ...merged]
  }
}

const ours = (name: string, amount: bigint, ...states: ('processing' | 'succeeded' | 'failed')[]): Script => [
  step(`ask ${name} ${amount}`, (world) => world.ask(name, amount)),
  step(`send ${name} ${states[0]}`, (world) => world.send(name, states[0]!, false)),
  ...states
    .slice(1)
    .map((state) => step(`end ${name} ${state}`, (world) => world.end(name, state as 'failed'))),
  step(`hear ${name}`, (world) => world.handleNotification(name)),
]
const theirs = (
  name: string,
  amount: bigint,
  ...states: ('processing' | 'succeeded' | 'failed')[]
): Script => [
  step(`make ${name} ${amount} ${states[0]}`, (world) => world.make(name, amount, states[0] as 'processing')),
  ...states
    .slice(1)
    .map((state) => step(`end ${name} ${state}`, (world) => world.end(name, state as 'failed', false))),
  step(`hear ${name}`, (world) => world.handleNotification(name)),
]
const disputed = (name: string, amount: bigint, ...states: ('under_review' | 'won' | 'lost')[]): Script => [
  step(`claim ${name} ${amount}`, (world) => world.claim(name, amount)),
  step(`hear ${name}`, (world) => world.handleNotification(name)),
  ...states.flatMap((state) => [
    step(`decide ${name} ${state}`, (world) => world.decide(name, state)),
    step(`hear ${name}`, (world) => world.handleNotification(name)),
  ]),
]

describe('every order of', () => {
  const table: [what: string, orders: number, scripts: Script[]][] = [
    [
      'a refund of ours that fails, one made at the processor, a dispute that is lost',
      3_150,
      [
        ours('1', 750n, 'processing', 'failed'),
        theirs('a', 250n, 'succeeded'),
        disputed('d', 1_000n, 'lost'),
      ],
    ],
    [
      'the same, and what was made comes back, of which only a look tells',
      4_200,
      [ours('1', 750n, 'failed'), theirs('a', 250n, 'succeeded', 'failed'), disputed('d', 1_000n, 'lost')],
    ],
    [
      'a refund of ours that succeeds, one made at the processor, a dispute that is won',
      4_200,
      [
        ours('1', 500n, 'succeeded'),
        theirs('a', 500n, 'processing', 'succeeded'),
        disputed('d', 600n, 'won'),
      ],
    ],
    [
      'two refunds made at the processor, a dispute that is lost',
      1_260,
      [
        theirs('a', 250n, 'succeeded'),
        theirs('b', 750n, 'succeeded', 'failed'),
        disputed('d', 1_000n, 'lost'),
      ],
    ],
    [
      'a refund made at the processor, a dispute that is lost and reopened',
      66,
      [theirs('a', 250n, 'succeeded'), disputed('d', 1_000n, 'lost', 'under_review', 'won', 'lost')],
    ],
    [
      'two refunds of ours, one made at the processor, a dispute, both found by the reconciler alone',
      1_120,
      [
        ours('1', 500n, 'failed'),
        ours('2', 250n, 'succeeded'),
        theirs('a', 500n, 'succeeded').slice(0, 1),
        disputed('d', 1_000n).slice(0, 1),
      ],
    ],
    [
      'two disputes, a refund made at the processor',
      1_260,
      [theirs('a', 500n, 'succeeded'), disputed('d', 600n, 'lost'), disputed('e', 600n, 'won').slice(0, 3)],
    ],
  ]
  test.each(table)('%s', { timeout: 30_000 }, (_, orders, scripts) => {
    let played = 0
    for (const steps of mergedOf(scripts)) {
      play(steps)
      played++
    }
    expect(played).toBe(orders)
  })
})

test('any history: notifications late, lost, repeated and reordered, and Workers that are slow between reading and recording', {
  timeout: 30_000,
}, () => {
  const amount = fc.constantFrom(250n, 500n, 750n, 1_000n)
  const [here, there, bank] = [
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom('a', 'b'),
    fc.constantFrom('d', 'e'),
  ]
  const any = fc.oneof(here, there, bank)
  const ended = fc.constantFrom('succeeded' as const, 'failed' as const)
  const state = fc.oneof(ended, fc.constant('processing' as const))
  const decision = fc.constantFrom('needs_response', 'under_review', 'won', 'lost')
  const anyStep = fc.oneof(
    fc
      .tuple(here, amount, fc.boolean())
      .map(([name, minor, isCovered]) =>
        step(`ask ${name} ${minor}${isCovered ? '' : ' uncovered'}`, (world) =>
          world.ask(name, minor, isCovered),
        ),
      ),
    fc
      .tuple(here, state, fc.boolean())
      .map(([name, outcome, isHeard]) =>
        step(`send ${name} ${outcome} ${isHeard}`, (world) => world.send(name, outcome, isHeard)),
      ),
    fc
      .tuple(there, amount, fc.constantFrom('processing' as const, 'succeeded' as const))
      .map(([name, minor, as]) =>
        step(`make ${name} ${minor} ${as}`, (world) => world.make(name, minor, as)),
      ),
    fc
      .tuple(fc.oneof(here, there), ended, fc.boolean())
      .map(([name, as, isTold]) =>
        step(`end ${name} ${as} ${isTold}`, (world) => world.end(name, as, isTold)),
      ),
    fc
      .tuple(bank, amount)
      .map(([name, minor]) => step(`claim ${name} ${minor}`, (world) => world.claim(name, minor))),
    fc
      .tuple(bank, decision, fc.boolean())
      .map(([name, as, isTold]) =>
        step(`decide ${name} ${as} ${isTold}`, (world) => world.decide(name, as as 'won', isTold)),
      ),
    any.map((name) => step(`hear ${name}`, (world) => world.handleNotification(name))),
    any.map((name) => step(`read ${name}`, (world) => world.read(name))),
    fc.constant(step('record', (world) => world.record())),
    fc.constant(step('look', (world) => world.look())),
  )
  fc.assert(fc.property(fc.array(anyStep, { maxLength: 40, size: 'max' }), play), {
    numRuns: Number(process.env.RUNS ?? 2_000),
  })
})
