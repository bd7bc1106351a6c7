import { expect, test } from 'vitest'
import { forwardedByKid } from '../../../functions/in-person/offline/store.ts'
import { brokenRules } from '../../support/books.ts'
import { configures } from '../../support/configurations.ts'
import { asks, newCode, newLocation } from '../../support/devices.ts'
import { explained, vacuumed } from '../../support/explain.ts'
import {
  allowanceOf,
  forwards,
  listOffline,
  newOfflineCounter,
  offlineBooks,
  outcomes,
  pairSigning,
  stores,
} from '../../support/offline.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'
import { ask } from '../../support/terminal.ts'

const most = (amount: string) => ({ methods: { card_present: { amount_max: { mxn: amount } } } })

test('who only copied the credential holds no name of a payment', async () => {
  const counter = await newOfflineCounter()
  const { merchant } = counter
  const stored = await stores(counter)
  const forged = { ...stored, amount: '13000' }
  const first = await forwards(counter, [forged], { has_more: true })
  const nowhere = { ...stored, allowance_id: crypto.randomUUID() }
  expect(outcomes(first)).toEqual(['refused signature_invalid'])
  expect((await forwards(counter, [nowhere], { has_more: true })).body.results).toEqual(first.body.results)
  const taken = await forwards(counter, [stored])
  expect(outcomes(taken)).toEqual(['succeeded'])
  expect((await forwards(counter, [forged])).body.results).toEqual(first.body.results)
  expect((await forwards(counter, [stored])).body.results).toEqual(taken.body.results)
  expect((await listOffline(merchant)).map(({ status }) => status)).toEqual(['succeeded', 'refused'])
  expect(await offlineBooks(merchant)).toMatchObject({ payments: 1, captured: '12000' })
})

test('each is judged by the policy of the location where it was taken', async () => {
  const governed = await newGoverned()
  const { merchant } = governed
  const counter = await newOfflineCounter(merchant)
  const { reader, key } = counter
  const there = await newLocation(merchant, 'Condesa')
  await setPolicy(governed, most('11999'), there)
  const here = await stores(counter)
  const at = `/v1/terminal/readers/${reader.id}`
  await asks(merchant.apiKey, 'POST', `${at}/unpair`)
  await asks(merchant.apiKey, 'PATCH', at, { location_id: there })
  const { body } = await pairSigning(await newCode(merchant, reader), key)
  const moved = { ...counter, reader: { ...reader, credential: body.one_time_value! } }
  const above = await stores({ key, allowance: (await allowanceOf(moved.reader))! })
  const both = await forwards(moved, [here, above])
  expect(outcomes(both)).toEqual(['succeeded', 'not_recorded location_of_another'])
  expect(both.body.results[1]!.offline_payment_id).toBeNull()
  expect(outcomes(await forwards(moved, [above]))).toEqual(['not_recorded policy_refuses_now'])
  await setPolicy(governed, most('12000'), there)
  expect(outcomes(await forwards(moved, [above]))).toEqual(['succeeded'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what the policy refuses now is kept by the reader, as long as its allowance is taken', async () => {
  const governed = await newGoverned()
  const { merchant } = governed
  const counter = await newOfflineCounter(merchant)
  await setPolicy(governed, most('11999'))
  const stored = await stores(counter)
  const kept = await forwards(counter, [stored])
  expect(outcomes(kept)).toEqual(['not_recorded policy_refuses_now'])
  expect(kept.body.offline_allowance!.id).not.toBe(counter.allowance.id)
  expect(await listOffline(merchant)).toEqual([])
  await configures(merchant, 'POST', `/${counter.configuration.id}/archive`)
  await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT25H' })
  expect(outcomes(await forwards(counter, [stored]))).toEqual(['refused allowance_ended'])
})

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
