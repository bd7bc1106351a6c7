import { expect, test } from 'vitest'
import { Client } from '../../support/postgres.ts'
import { stack } from '../../support/stack.ts'

/** Two hundred that we can never accept, and a younger one: asked for ten at a time, as often as needed. */
const repeated = [
  [
    'disputes',
    `insert into simulator.disputes (dispute_ref, reference, state, amount_minor, currency, reason, opens_at, evidence_due_by)
     select 'sbx_dp_repeat_' || n, gen_random_uuid(), 'needs_response', 1, 'mxn', 'fraudulent',
       now() - (201 - n) * interval '1 second', now() + interval '1 day' from generate_series(1, 201) n`,
    'select simulator.unconfirmed_disputes(10) as refs',
    `select 'sbx_dp_repeat_201' as ref`,
  ],
  [
    'deposits',
    `insert into simulator.spei_deposits (clabe, account, amount_minor, clave_rastreo, sender_bank, operated_on, created_at)
     select '646180000000000012', 'repeats', 1, 'REPEAT' || n, '40012', current_date,
       now() - (201 - n) * interval '1 second' from generate_series(1, 201) n`,
    'select simulator.spei_unconfirmed(10) as refs',
    `select deposit_ref as ref from simulator.spei_deposits where clave_rastreo = 'REPEAT201'`,
  ],
] as const

test.each(repeated)(
  '%s that are never accepted keep no others from being reported again',
  async (_, insert, ask, last) => {
    const client = new Client(stack.databases.sandbox.adminUrl)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(insert)
      const { rows } = await client.query<{ ref: string }>(last)
      let rounds = 0
      for (let told = false; !told && rounds < 2_000; rounds++) {
        const answer = await client.query<{ refs: string[] }>(ask)
        told = answer.rows[0]!.refs.includes(rows[0]!.ref)
      }
      expect(rounds).toBeLessThan(2_000)
    } finally {
      await client.query('rollback')
      await client.end()
    }
  },
)
