import { expect, test } from 'vitest'
import { type Batch, forward, newSigningKey, withoutNetwork } from '../../../local/device-offline.ts'

const allowance = {
  id: crypto.randomUUID(),
  currency: 'mxn',
  amount_max: '12000',
  stored_amount_max: '12000',
}

/** A reader that stores one payment and forwards it by `send`. */
const run = async (send: Parameters<typeof withoutNetwork>[0]) =>
  withoutNetwork(
    send,
    { key: (await newSigningKey()).privateKey, allowance },
    { seconds: 0, amount: '12000', everyMs: 0 },
  )

test('a reader sends the same batch again when the reply was lost', async () => {
  const sent: object[] = []
  await run(async (batch): Promise<Batch> => {
    sent.push(batch)
    if (sent.length < 3) throw new Error('the network is gone')
    return { results: [] }
  })
  expect(sent).toHaveLength(3)
  expect(sent[0]).toMatchObject({ payments: [{ amount: '12000' }], has_more: false })
  expect([sent[1], sent[2]]).toEqual([sent[0], sent[0]])
})

test('a reader gives up, with what was answered last', async () => {
  let tries = 0
  const refused = run(async () => {
    throw new Error(`refused ${++tries}`)
  })
  await expect(refused).rejects.toThrow('refused 5')
})

const reply = (ids: readonly string[], held: readonly string[]): Batch => ({
  results: ids.map((id) =>
    held.includes(id)
      ? { id, status: 'not_recorded', refusal_code: 'policy_refuses_now' }
      : { id, status: 'succeeded', refusal_code: null },
  ),
})
const idsOf = ({ payments }: { payments: object[] }) => (payments as { id: string }[]).map(({ id }) => id)

test('a reader keeps what was not recorded, and says so with what it sends after it', async () => {
  const payments = Array.from({ length: 51 }, (_, at) => ({ id: `p${at}`, amount: '12000' }))
  const sent: { ids: string[]; has_more: boolean }[] = []
  const send = async (batch: { payments: object[]; has_more: boolean }) => {
    const ids = idsOf(batch)
    sent.push({ ids, has_more: batch.has_more })
    return reply(ids, sent.length < 3 ? ['p7'] : [])
  }
  const kept = await forward(send, payments, 0)
  expect(kept).toEqual([payments[7]])
  expect(await forward(send, kept, 0)).toEqual([])
  expect(sent.map(({ ids, has_more }) => [ids.length, has_more])).toEqual([
    [50, true],
    [1, true],
    [1, false],
  ])
  expect(sent.map(({ ids }) => ids.at(-1))).toEqual(['p49', 'p50', 'p7'])
})

test('a reader that was without a network forgets what was recorded alone', async () => {
  expect(await run(async (batch) => reply(idsOf(batch), []))).toEqual([])
  expect(await run(async (batch) => reply(idsOf(batch), idsOf(batch)))).toMatchObject([{ amount: '12000' }])
})
