import { expect, test } from 'vitest'
import { forwardedByKid } from '../../../functions/in-person/offline/store.ts'
import { explained, vacuumed } from '../../support/explain.ts'
import { forwards, newOfflineCounter, stores } from '../../support/offline.ts'
import { adminSql } from '../../support/stack.ts'

test('what was forwarded before is looked up by indexes, however much that is', async () => {
  const counter = await newOfflineCounter()
  const { merchant, reader } = counter
  const stored = await stores(counter, { amount: '50001' })
  await forwards(counter, [stored])
  const sql = adminSql('sandbox')
  await sql(
    `insert into offline_payments select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
       'device_payment_id', 'another-' || n, 'sequence', 1000 + n))).* from offline_payments o, generate_series(1, 5000) n
     where o.tenant_id = $1`,
    [merchant.tenantId],
  )
  await vacuumed('offline_payments')
  const [credential] = await sql<{ kid: string }>('select kid from device_credentials where device_id = $1', [
    reader.id,
  ])
  const many = Array.from({ length: 50 }, (_, n) => n)
  const { nodes, buffers } = await explained(
    merchant.tenantId,
    forwardedByKid({
      kid: credential!.kid,
      names: `{${many.map((n) => `another-${n + 1}`)}}`,
      ids: `{${many.map(() => counter.allowance.id)}}`,
      sequences: `{${many.map((n) => 1001 + n)}}`,
    }),
  )
  const plan = nodes.map((node) => node['Index Name'] ?? node['Node Type'])
  expect(plan).not.toContain('Seq Scan')
  expect(plan).toContain('offline_payments_one')
  expect(plan).toContain('offline_payments_sequence')
  expect(buffers, plan.join(', ')).toBeLessThanOrEqual(700)
})
