import { expect, test } from 'vitest'
import { type Batch, newSigningKey, withoutNetwork } from '../../../local/device-offline.ts'

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
