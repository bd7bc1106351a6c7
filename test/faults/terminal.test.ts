import { afterEach, expect, test } from 'vitest'
import { attemptsOf, brokenRules, settleAttempts, survivors } from '../support/books.ts'
import { asks } from '../support/devices.ts'
import { control, faults } from '../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  asksTip,
  booksOf,
  type Counter,
  eventsOf,
  inPerson,
  newCounter,
  present,
  process,
  read,
  reports,
} from '../support/terminal.ts'

afterEach(() => faults.clear())

interface Kill {
  readonly contains: string
  readonly skip?: number
  readonly mode: 'hang' | 'late-commit'
}
const modes = ['hang', 'late-commit'] as const
const at = (contains: string, skip = 0): Kill[] => modes.map((mode) => ({ contains, skip, mode }))

/** Sends a request, and kills the Worker at a call of it. */
async function dying({ contains, skip = 0, mode }: Kill, send: () => Promise<unknown>): Promise<void> {
  const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
  const unanswered = send().catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  expect(await unanswered).toBeInstanceOf(Error)
  await faults.clear()
}

const expire = async (counter: Counter) => {
  await ask(counter.merchant, 'POST', '/v1/sandbox/clock', { advance: 'PT5M' })
  await settleAttempts(counter.merchant.tenantId, 2)
}

/** What the merchant reads of the only action, once nobody holds a card to its reader. */
async function outcomeOf(counter: Counter): Promise<string> {
  const { data } = (await ask<{ data: Action[] }>(counter.merchant, 'GET', '/v1/terminal/actions')).body
  expect(data.length).toBeLessThan(2)
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  const paid = (await booksOf(counter.merchant)).filter(({ journals }) => journals > 0)
  const [action] = data
  expect(paid).toHaveLength(action?.status === 'succeeded' ? 1 : 0)
  return action?.status ?? 'none'
}

test('the Worker is killed while it asks a reader: the action is there whole, or not at all, and ends', async () => {
  const kills = [...at('door.publish'), ...at('simulator.present'), ...at('door.publish', 1)]
  await survivors('Worker killed while it asks a reader', kills, async (kill) => {
    const counter = await newCounter()
    const key = crypto.randomUUID()
    await dying(kill, () => process(counter, {}, key))
    const isRecorded = async () => (await attemptsOf(counter.merchant.tenantId)).length
    const lost = kill.contains === 'door.publish' && kill.skip === 0 && kill.mode === 'hang'
    await expect.poll(isRecorded).toBe(lost ? 0 : 1)
    await settleAttempts(counter.merchant.tenantId, 2)
    const { status, body } = await process(counter, {}, key)
    expect([status, body.status]).toEqual([201, 'in_progress'])
    const presented = await present(counter)
    if (presented.status !== 200) await expire(counter)
    expect(await outcomeOf(counter)).toBe(presented.status === 200 ? 'succeeded' : 'canceled')
  })
})

test('the Worker is killed while a card is read: its payment is recorded once', async () => {
  const kills = [...at('simulator.read_card'), ...at('simulator.fetch_any'), ...at('door.publish')]
  await survivors('Worker killed while a card is read', kills, async (kill) => {
    const counter = await newCounter()
    await process(counter)
    await dying(kill, () => present(counter))
    await settleAttempts(counter.merchant.tenantId, 2)
    await present(counter)
    await expire(counter)
    expect(await outcomeOf(counter)).toBe('succeeded')
  })
})

test('the Worker is killed while a reader reports its result: the result is taken once, and the processor asked', async () => {
  const kills = [...at('door.publish'), ...at('simulator.fetch_any'), ...at('door.publish', 1)]
  await survivors('Worker killed while a reader reports', kills, async (kill) => {
    const counter = await newCounter()
    const { body } = await process(counter)
    await present(counter, { answer: 'lost' })
    const report = () =>
      asks(counter.reader.credential, 'POST', `/v1/device/actions/${body.id}/result`, {
        outcome: 'completed',
      })
    const fault = await faults.neon({
      mode: kill.mode,
      match: { database: 'sandbox', contains: kill.contains },
      skip: kill.skip ?? 0,
    })
    const sent = report().catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await sent
    await faults.clear()
    expect((await report()).status).toBe(200)
    await settleAttempts(counter.merchant.tenantId, 2)
    expect((await read(counter, body)).reported_as).toBe('completed')
    expect(await outcomeOf(counter)).toBe('succeeded')
  })
})

test('the Worker is killed while it captures what a reader has authorized: the key answers with one capture', async () => {
  const kills = [...at('door.publish'), ...at('simulator.capture'), ...at('door.publish', 1)]
  await survivors('Worker killed while it captures at a reader', kills, async (kill) => {
    const counter = await newCounter()
    const { body } = await process(counter, { capture_method: 'manual' })
    await present(counter)
    const key = crypto.randomUUID()
    const capture = () => inPerson(counter, body, 'capture', { key, body: { amount: '50000' } })
    await dying(kill, capture)
    await settleAttempts(counter.merchant.tenantId, 2)
    const captured = await capture()
    expect([answerOf(captured), captured.body.amount_captured]).toEqual(['200 succeeded', '50000'])
    expect(await booksOf(counter.merchant)).toEqual([
      { status: 'partially_captured', captured: '50000', journals: 1 },
    ])
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while a tip is asked for or chosen: it is asked once, chosen once, and charged once', async () => {
  const steps = ['asked', 'chosen', 'charged'] as const
  const kills = steps.flatMap((step) => at('door.publish').map((kill) => ({ ...kill, step })))
  await survivors('Worker killed while a tip is collected', kills, async (kill) => {
    const counter = await newCounter()
    const [askedBy, chargedBy] = [crypto.randomUUID(), crypto.randomUUID()]
    const asks = () => asksTip(counter, {}, askedBy)
    if (kill.step === 'asked') await dying(kill, asks)
    const { status, body } = await asks()
    expect([status, body.status]).toEqual([201, 'in_progress'])
    const chooses = () => reports(counter, body, { outcome: 'completed', tip: { preset: 0 } })
    if (kill.step === 'chosen') await dying(kill, chooses)
    expect(answerOf(await chooses())).toBe('200 succeeded')
    const sold = { amount: '45000', tip_action_id: body.id }
    const charges = () => process(counter, sold, chargedBy)
    if (kill.step === 'charged') {
      await dying(kill, charges)
      await settleAttempts(counter.merchant.tenantId, 2)
    }
    expect([(await charges()).status, await booksOf(counter.merchant)]).toMatchObject([201, [{}]])
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
    const types = await eventsOf(counter.merchant, 'reader_action')
    expect(types.filter((type) => type === 'created')).toHaveLength(2)
  })
})
