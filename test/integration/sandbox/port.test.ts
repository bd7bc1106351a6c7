import { randomUUID } from 'node:crypto'
import type { Settings } from '../../../src/env/settings.ts'
import { presentCard } from '../../../src/processors/simulator/card.ts'
import { openDispute, resolveDispute } from '../../../src/processors/simulator/disputes.ts'
import type { SimulatorCall } from '../../../src/processors/simulator/rail.ts'
import { simulator } from '../../../src/processors/simulator/simulator.ts'
import { portSuite } from '../../support/port-suite.ts'
import { adminSql } from '../../support/stack.ts'

// The suite of the port that Stripe's stand-in and another processor pass in test/unit/stripe/port.test.ts.

const sql = adminSql('sandbox')

/** Calls a function of the simulator's schema, as the Worker does through its door. */
const call: SimulatorCall = async (signature, values) => {
  const [, name, types = ''] = /^([\w.]+)\((.*)\)$/.exec(signature)!
  const args = types.split(',').filter((type) => type !== '')
  const [row] = await sql<{ answer: string | null }>(
    `select (${name}(${args.map((type, at) => `$${at + 1}::${type}`).join(', ')}))::text as answer`,
    [...values],
  )
  return row!.answer
}

let lost: 'charge' | 'answer' | null = null

/** The simulator over a line that loses the messages that the test names. */
const line: SimulatorCall = async (signature, values) => {
  if (signature !== 'simulator.charge(jsonb)' || lost === null) return call(signature, values)
  const what = lost
  lost = null
  if (what === 'answer') await call(signature, values)
  throw new Error('the connection was cut')
}

portSuite('simulator', () => ({
  processor: simulator({ baseUrl: 'http://localhost' } as Settings, line),
  tokens: {
    approved: 'tok_sbx_approve',
    declined: 'tok_sbx_decline_funds',
    challenged: 'tok_sbx_3ds_challenge',
    unknown: 'tok_sbx_none',
  },
  lose: (what) => {
    lost = what
  },
  chargesOf: async (reference) =>
    (await sql('select 1 from simulator.charges where reference = $1', [reference])).length,
  confirm: (reference) => call('simulator.answer_challenge(uuid,boolean)', [reference, true]),
  payVoucher: (_, voucher) => call('simulator.pay_voucher(text,boolean)', [voucher, false]),
  transfer: async (_, clabe, amountMinor) => {
    const sent = {
      clabe,
      account: 'tn_none',
      amountMinor: amountMinor.toString(),
      claveRastreo: randomUUID().replaceAll('-', '').slice(0, 20).toUpperCase(),
      senderBank: 'BBVA',
      senderClabe: null,
      senderName: null,
      operatedOn: '2026-06-15',
    }
    const arrived = await call('simulator.spei_arrive(jsonb)', [JSON.stringify(sent)])
    return (JSON.parse(arrived!) as { depositRef: string }).depositRef
  },
  dispute: async (attemptReference) => {
    const disputeRef = `dp_${randomUUID()}`
    const opened = { disputeRef, attemptReference, amountMinor: null, reason: 'fraudulent', inquires: false }
    await openDispute(call, opened)
    return disputeRef
  },
  decide: (disputeRef) => resolveDispute(call, disputeRef, 'won'),
  devices: {
    code: () => 'simulated-s700',
    holdCard: (reference, { amountMinor, installmentMonths }) =>
      presentCard(call, reference, {
        card: 'tok_sbx_approve',
        presentedAs: 'tap',
        answerMinutes: 0,
        amountMinor,
        installmentMonths,
      }),
  },
}))
