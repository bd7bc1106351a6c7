import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../functions/in-person/devices/kinds.ts'
import { brokenRules } from '../support/books.ts'
import { newMerchant } from '../support/merchant.ts'
import { deliver, notify, server, sql, until, withStripe } from '../support/stripe-live.ts'
import {
  actionIs,
  asksLive,
  booksAt,
  cancels,
  charges,
  newCode,
  newLiveDevice,
  newStripeCounter,
  readsAction,
  registers,
  type StripeCounter,
  settles,
} from '../support/stripe-readers.ts'
import { answerOf, refusal, times } from '../support/terminal.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

async function isSound({ merchant }: StripeCounter): Promise<void> {
  expect(server.complaints).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
}

describe('a machine of Stripe', () => {
  test('is one device of all workspaces with its account, of fifty that register it at once', async () => {
    const merchants = await Promise.all([1, 2].map(() => newMerchant({ environment: 'live' })))
    const devices = await Promise.all(merchants.map((each) => newLiveDevice(each)))
    let at = 0
    const answers = await times(() => {
      const turn = at++ % 2
      return registers(merchants[turn]!, devices[turn]!, newCode('WSC-one'))
    })
    const won = answers.find(({ status }) => status === 200)!.body
    const [first, second] = won.id === devices[0]!.id ? [0, 1] : [1, 0]
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      refusal((await registers(merchants[second]!, devices[second]!, newCode('WSC-one'))) as never),
    ).toBe('409 reader_registered_elsewhere registration_code')
    await asksLive(merchants[first]!, 'POST', `${kinds.reader.path}/${won.id}/unpair`)
    expect((await registers(merchants[second]!, devices[second]!, newCode('WSC-one'))).status).toBe(200)
    expect([server.readers.size, server.complaints]).toEqual([1, []])
  })

  test('is registered at a location that was deleted at Stripe: it is made there again, once', async () => {
    const counter = await newStripeCounter()
    const { merchant, device } = counter
    const [gone] = server.places.keys()
    server.deletePlace(gone!)
    const { body: taken } = await charges(counter)
    expect((await readsAction(counter, taken)).failure_code).toBe('reader_not_registered')
    const names = ['Barra', 'Terraza']
    const answers = await Promise.all(
      names.map(async (name) => {
        const place = { name, location_id: device.location_id }
        const { body } = await asksLive<typeof device>(merchant, 'POST', kinds.reader.path, place)
        return (await registers(merchant, body)).status
      }),
    )
    expect(answers).toEqual([200, 200])
    const kept = await sql('select processor_ref, version from device_places where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(kept).toEqual([{ processor_ref: [...server.places.keys()].at(-1), version: 2 }])
    expect([server.places.size, server.complaints]).toEqual([1, []])
  })
})

describe('a screen of a reader of Stripe', () => {
  const shows = ({ merchant, device }: StripeCounter, body: object = {}, key?: string) =>
    asksLive(
      merchant,
      'POST',
      `${kinds.reader.path}/${device.id}/display`,
      { line_items: [{ name: 'Café', unit_amount: '5800', quantity: 2 }], ...body },
      key,
    )
  const events = ({ merchant: { tenantId } }: StripeCounter) =>
    sql<{ type: string }>('select type from events where tenant_id = $1 order by created_at, id', [tenantId])

  test('shows lines with their sum and the tip, and is cleared; a repeated request shows it once', async () => {
    const counter = await newStripeCounter()
    const key = randomUUID()
    const { status, body: action } = await shows(counter, { amount_tip: '1000' }, key)
    expect([status, action.type, action.status]).toEqual([201, 'display', 'in_progress'])
    expect((await shows(counter, { amount_tip: '1000' }, key)).body).toEqual(action)
    expect((await readsAction(counter, action)).status).toBe('succeeded')
    expect(server.shown(counter.reader)).toEqual(['2 Café 11600', '1 Propina 1000', 'mxn 12600'])
    const { body: cleared } = await shows(counter, { line_items: null })
    expect((await readsAction(counter, cleared)).status).toBe('succeeded')
    expect(server.shown(counter.reader)).toBeNull()
    expect((await events(counter)).filter(({ type }) => type === 'reader_action.succeeded')).toHaveLength(2)
    const { body: paid } = await charges(counter)
    server.presentCard(counter.reader)
    await settles(counter)
    expect((await readsAction(counter, paid)).status).toBe('succeeded')
    await isSound(counter)
  })

  test('fails with the reason, and is out of time where the reader did not answer', async () => {
    const counter = await newStripeCounter()
    server.next = 'offline'
    const { body: offline } = await shows(counter)
    expect(await readsAction(counter, offline)).toMatchObject({
      status: 'failed',
      failure_code: 'reader_offline',
    })
    server.next = 'late'
    const { body: late } = await shows(counter)
    expect((await readsAction(counter, late)).status).toBe('in_progress')
    expect(answerOf(await charges(counter))).toBe('409 reader_busy')
    await settles(counter, true)
    expect((await readsAction(counter, late)).status).toBe('timed_out')
    expect(answerOf(await charges(counter))).toBe('201 in_progress')
    await isSound(counter)
  })

  test('is one of fifty that are asked at once', async () => {
    const counter = await newStripeCounter()
    const answers = (await times(() => shows(counter))).map(answerOf)
    expect(new Set([...answers, '409 reader_busy'])).toEqual(new Set(['201 in_progress', '409 reader_busy']))
    const asked = server.seen.filter(({ path }) => path.endsWith('set_reader_display'))
    expect(asked).toHaveLength(answers.filter((answer) => answer === '201 in_progress').length)
    await isSound(counter)
  })
})

const isOff = (reader: string) => until(async () => server.asked(reader) === undefined)
const told = ['terminal.reader.action_succeeded', 'terminal.reader.action_failed']

describe('a tip that a reader of Stripe asks for', () => {
  const choices = { presets: [{ bps: 1000 }, { amount: '5000' }] }
  const asksTip = ({ merchant, device }: StripeCounter, body: object = {}, key?: string) =>
    asksLive(
      merchant,
      'POST',
      `${kinds.reader.path}/${device.id}/collect-tip`,
      { amount: '45000', currency: 'mxn', ...choices, ...body },
      key,
    )
  const ends = async (counter: StripeCounter) =>
    (
      await sql<{ type: string }>('select type from events where tenant_id = $1', [counter.merchant.tenantId])
    ).filter(({ type }) => type.startsWith('reader_action.') && type !== 'reader_action.created')
  test('is asked once, chosen and charged with what it was chosen on', async () => {
    const counter = await newStripeCounter()
    const { reader } = counter
    const key = randomUUID()
    const { status, body: action } = await asksTip(counter, {}, key)
    expect([status, action.status, action.tip]).toMatchObject([201, 'in_progress', { allows_other: false }])
    expect((await asksTip(counter, {}, key)).body).toEqual(action)
    expect(server.asked(reader)).toEqual(['¿Desea dejar propina?', '10 % · $45.00', '$50.00', 'Sin propina'])
    expect(server.seen.filter(({ path }) => path.endsWith('collect_inputs'))).toHaveLength(1)
    expect(answerOf(await charges(counter))).toBe('409 reader_busy')
    server.fill(reader, '1')
    await deliver(told)
    await until(actionIs(counter, action, 'succeeded'))
    expect((await readsAction(counter, action)).tip).toMatchObject({
      chosen: { kind: 'preset', amount: '5000' },
    })
    const { body: paid } = await charges(counter, { amount: '45000', tip_action_id: action.id })
    expect(server.presentCard(reader)).toBe(true)
    await settles(counter)
    expect((await readsAction(counter, paid)).status).toBe('succeeded')
    expect(await booksAt(counter)).toEqual([{ status: 'succeeded', captured: '50000', journals: 1 }])
    const [kept] = await sql('select tip_amount_minor::text tip from payments where id = $1', [
      paid.payment_id,
    ])
    expect(kept).toEqual({ tip: '5000' })
    await isSound(counter)
  })

  test('may be none; another amount is refused, and a buyer who gives up gives no answer', async () => {
    const counter = await newStripeCounter()
    expect(refusal((await asksTip(counter, { allows_other: true })) as never)).toBe(
      '422 parameter_invalid allows_other',
    )
    expect(refusal((await asksTip(counter, { presets: [] })) as never)).toBe('422 parameter_invalid presets')
    const { body: action } = await asksTip(counter)
    server.fill(counter.reader, 'none')
    await deliver(told)
    await until(actionIs(counter, action, 'succeeded'))
    expect((await readsAction(counter, action)).tip).toMatchObject({ chosen: { kind: 'none', amount: '0' } })
    const { body: another } = await asksTip(counter)
    server.giveUp(counter.reader)
    await deliver(told)
    await until(actionIs(counter, another, 'failed'))
    expect((await readsAction(counter, another)).failure_code).toBe('reader_failed')
    await isSound(counter)
  })

  test('fails where the reader is offline, and stays where it did not answer', async () => {
    const counter = await newStripeCounter()
    server.next = 'offline'
    const { body: offline } = await asksTip(counter)
    expect(await readsAction(counter, offline)).toMatchObject({
      status: 'failed',
      failure_code: 'reader_offline',
    })
    server.next = 'late'
    const { body: late } = await asksTip(counter)
    expect((await readsAction(counter, late)).status).toBe('in_progress')
    server.fill(counter.reader, '0')
    await deliver(told)
    await until(actionIs(counter, late, 'succeeded'))
    await isSound(counter)
  })

  test('is taken off the screen when it is canceled, or its time is over; an answer then is none', async () => {
    const counter = await newStripeCounter()
    const { reader } = counter
    const { body: canceled } = await asksTip(counter)
    expect((await cancels(counter, canceled)).body.status).toBe('canceled')
    await isOff(reader)
    const { body: lost } = await asksTip(counter)
    await settles(counter, true)
    expect((await readsAction(counter, lost)).status).toBe('timed_out')
    await isOff(reader)
    const { body: late } = await asksTip(counter)
    const past = `expires_at = now() - interval '1 second'`
    await sql(`update reader_actions set ${past} where id = $1`, [late.id])
    server.giveUp(reader)
    await deliver(told)
    const done = `select 1 from processor_notifications where reference = $1 and processed_at is not null`
    await until(async () => (await sql(done, [late.id])).length === 1)
    expect((await readsAction(counter, late)).status).toBe('in_progress')
    await settles(counter)
    expect((await readsAction(counter, late)).status).toBe('timed_out')
    expect(await ends(counter)).toHaveLength(3)
    await isSound(counter)
  })

  test('has one end, of fifty notifications at once, and none by another workspace’s', async () => {
    const counter = await newStripeCounter()
    const stranger = await newStripeCounter()
    const { body: action } = await asksTip(counter)
    await asksTip(stranger)
    server.fill(stranger.reader, '1')
    const { action: chosen, ...rest } = server.readers.get(stranger.reader)!
    const collect_inputs = { ...chosen!.collect_inputs!, metadata: { action_id: action.id } }
    const forged = { ...rest, action: { ...chosen!, collect_inputs } }
    await notify('terminal.reader.action_succeeded', forged)
    const heard = `select 1 from processor_notifications where reference = $1 and processed_at is not null`
    await until(async () => (await sql(heard, [action.id])).length === 1)
    expect((await readsAction(counter, action)).status).toBe('in_progress')
    server.fill(counter.reader, '0')
    const reader = server.readers.get(counter.reader)!
    const replies = await times(() => notify('terminal.reader.action_succeeded', reader))
    expect(replies.every(({ ok }) => ok)).toBe(true)
    await until(async () => (await sql(heard, [action.id])).length === 51)
    expect((await readsAction(counter, action)).tip).toMatchObject({ chosen: { amount: '4500' } })
    expect(await ends(counter)).toEqual([{ type: 'reader_action.succeeded' }])
    await isSound(counter)
  })
})

describe('details that a reader of Stripe asks for', () => {
  test('stand in their action alone; one with a card number is kept nowhere', async () => {
    const counter = await newStripeCounter()
    const { merchant, device, reader } = counter
    const asksInput = (inputs: object[]) =>
      asksLive(merchant, 'POST', `${kinds.reader.path}/${device.id}/collect-input`, { inputs })
    const email = { type: 'email', title: '¿A qué correo va tu factura?', required: true }
    const text = { type: 'text', title: 'Comentario' }
    const { status, body: action } = await asksInput([email, text])
    expect([status, action.status]).toEqual([201, 'in_progress'])
    expect(server.asked(reader)).toEqual([email.title, text.title])
    server.fill(reader, 'Lucia.Prueba@example.com', null)
    await deliver(told)
    await until(actionIs(counter, action, 'succeeded'))
    expect(await readsAction(counter, action)).toMatchObject({
      answers: [{ value: 'lucia.prueba@example.com' }, { value: null }],
    })
    const { body: typed } = await asksInput([text])
    server.fill(reader, '4242 4242 4242 4242')
    await deliver(told)
    await until(actionIs(counter, typed, 'failed'))
    const where = `where tenant_id = '${merchant.tenantId}'`
    for (const secret of ['lucia.prueba', '4242 4242', '42424242'])
      expect(
        await sql(
          `select 1 from events ${where} and events::text ilike $1
          union all select 1 from audit_events ${where} and audit_events::text ilike $1
          union all select 1 from reader_actions a ${where} and a::text ilike $1 and id <> $2`,
          [`%${secret}%`, action.id],
        ),
      ).toEqual([])
    const { body: canceled } = await asksInput([email])
    await cancels(counter, canceled)
    await isOff(reader)
    await isSound(counter)
  })
})
