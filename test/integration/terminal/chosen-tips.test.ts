import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newCode, newPaired, pairWith } from '../../support/devices.ts'
import { adminSql } from '../../support/stack.ts'
import { newWaiter } from '../../support/table-pay.ts'
import {
  type Action,
  answerOf,
  ask,
  asksTip,
  type Counter,
  cancel,
  choosesTip,
  newCounter,
  paymentOf,
  present,
  process,
  read,
  refusal,
  times,
} from '../../support/terminal.ts'

const sql = adminSql('sandbox')
const sold = { amount: '45000', currency: 'mxn' }
const minutesBefore = (at: string, minutes: number) =>
  new Date(Date.parse(at) - minutes * 60_000).toISOString()

/** Another action like this one but for `change`, written beside the interface: its id. */
const like = async ({ id }: { id: string }, change: object) =>
  (
    await sql<{ id: string }>(
      `insert into reader_actions
       select (jsonb_populate_record(a, $2::jsonb || jsonb_build_object('id', gen_random_uuid()))).*
       from reader_actions a where id = $1 returning id`,
      [id, JSON.stringify(change)],
    )
  )[0]!.id

describe('the tip that a buyer chose', () => {
  test('is the one that is charged: once, by the payment that names it', async () => {
    const counter = await newCounter()
    const action = await choosesTip(counter, { preset: 1 })
    const asked = { ...sold, tip_action_id: action.id, client_reference_id: 'mesa-4' }
    const made = await process(counter, asked)
    expect(made.body).toMatchObject({ status: 'in_progress', tip_action_id: action.id })
    expect((await process(counter, asked)).body.id).toBe(made.body.id)
    expect(answerOf(await process(counter, { ...asked, tip_action_id: null, amount_tip: '6750' }))).toBe(
      '409 client_reference_id_used',
    )
    await present(counter)
    expect(await paymentOf(counter, made.body)).toMatchObject({ amount: '51750', amount_tip: '6750' })
    expect(refusal(await process(counter, { ...sold, tip_action_id: action.id }))).toBe(
      '409 reader_tip_used tip_action_id',
    )
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })

  // At one reader, which does one thing at a time: what decides between two that are over is asked of the database below.
  test('is in one payment when 50 name it at once, and after that was declined too', async () => {
    const counter = await newCounter()
    const asked = { ...sold, tip_action_id: (await choosesTip(counter)).id }
    const answers = await times(() => process(counter, asked))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers)
      expect(answerOf(answer)).toMatch(/^(201 in_progress|409 reader_busy|409 reader_tip_used)$/)
    await present(counter, { card: 'tok_sbx_decline_funds' })
    expect(answerOf(await process(counter, asked))).toBe('409 reader_tip_used')
    expect(answerOf(await process(counter, { ...sold, amount_tip: '4500' }))).toBe('201 in_progress')
  })

  test('is of its device, its amount and its time, and of a buyer who has chosen', async () => {
    const counter = await newCounter()
    const other = { merchant: counter.merchant, reader: await newPaired(counter.merchant) }
    const using = async (action: Action, body: object = {}, at: Counter = counter) =>
      refusal(await process(at, { ...sold, tip_action_id: action.id, ...body }))
    const notUsable = '409 reader_tip_not_usable'
    const action = await choosesTip(counter)
    expect(await using(action, { amount_tip: '4500' })).toBe('422 parameter_unknown amount_tip')
    expect(await using(action, { amount: '30000' })).toBe(`${notUsable} amount`)
    expect(await using(action, {}, other)).toBe(`${notUsable} tip_action_id`)
    expect(await using({ ...action, id: other.reader.id })).toBe('404 reader_action_not_found tip_action_id')
    const stranger = await newCounter()
    expect(await using(await choosesTip(stranger))).toBe('404 reader_action_not_found tip_action_id')
    const { body: waiting } = await asksTip(other)
    expect(await using(waiting, {}, other)).toBe(`${notUsable} tip_action_id`)
    const { ended_at } = await read(counter, action)
    const late = await like(action, { ended_at: minutesBefore(ended_at!, 11) })
    expect(await using({ ...action, id: late })).toBe(`${notUsable} tip_action_id`)
  })

  test('is not of a device that was paired again', async () => {
    const counter = await newCounter()
    const action = await choosesTip(counter)
    await ask(counter.merchant, 'POST', `/v1/terminal/readers/${counter.reader.id}/unpair`)
    await pairWith(await newCode(counter.merchant, counter.reader))
    expect(refusal(await process(counter, { ...sold, tip_action_id: action.id }))).toBe(
      '409 reader_tip_not_usable tip_action_id',
    )
  })

  describe('is kept by the database:', () => {
    /** The row of a payment that was canceled, with a tip of 45.00 pesos: it stands no longer. */
    const taken = async (counter: Counter, amount_tip = '4500') => {
      const { body } = await process(counter, { ...sold, amount_tip })
      await cancel(counter, body)
      const [found] = await sql<{ row: object }>(
        'delete from reader_actions a where id = $1 returning to_jsonb(a) as row',
        [body.id],
      )
      return found!.row
    }
    const names = (row: object, tip_action_id: string) =>
      sql(
        'insert into reader_actions select (jsonb_populate_record(null::reader_actions, $1)).* returning id',
        [JSON.stringify({ ...row, tip_action_id })],
      )

    test('no other tip is charged by it, and it is charged once', async () => {
      const counter = await newCounter()
      const { id } = await choosesTip(counter)
      await expect(names(await taken(counter, '4499'), id)).rejects.toThrow(/the tip is not as it was chosen/)
      expect(await names(await taken(counter), id)).toHaveLength(1)
      await expect(names(await taken(counter), id)).rejects.toThrow(/reader_actions_tip_once/)
    })

    test('it is of the same reader and pairing, amount and currency, and ten minutes', async () => {
      const counter = await newCounter()
      const chosen = await choosesTip(counter)
      const { ended_at, tip } = await read(counter, chosen)
      const { chosen: _, ...offers } = tip!
      const row = await taken(counter)
      const others = {
        'another reader': { reader_id: (await newPaired(counter.merchant)).id },
        'another pairing': { pairing: 2 },
        'another amount': { offers: { ...offers, amount: '45001' } },
        'another currency': { offers: { ...offers, currency: 'usd' } },
        '11 minutes ago': { ended_at: minutesBefore(ended_at!, 11) },
        'not succeeded': { status: 'failed', chosen: null, tip_minor: null },
      }
      for (const [what, change] of Object.entries(others))
        await expect(names(row, await like(chosen, change)), what).rejects.toThrow(/not as it was chosen/)
      expect(await names(row, await like(chosen, {}))).toHaveLength(1)
    })

    test('none is chosen that was not offered', async () => {
      const chosen = await choosesTip(await newCounter())
      for (const change of [{ tip_minor: 4501 }, { chosen: 'none' }, { chosen: 'other', tip_minor: 45001 }])
        await expect(like(chosen, change)).rejects.toThrow(/reader_actions_offered/)
    })

    test('what was asked, what was chosen and who served is written once', async () => {
      const counter = await newCounter()
      const { merchant } = counter
      const [served, other] = [await newWaiter(merchant), await newWaiter(merchant)]
      const chosen = await choosesTip(counter)
      const { body } = await process(counter, { ...sold, tip_action_id: chosen.id, waiter_id: served.id })
      const rewrite = (table: string, set: string, id: string) =>
        sql(`update ${table} set ${set} where id = $1 returning id`, [id])
      for (const set of [
        "type = 'ping'",
        `reader_id = '${(await newPaired(merchant)).id}'`,
        'pairing = 2',
        `offers = offers || '{"amount":"50000"}'`,
        'tip_minor = 6750',
        "chosen = 'other'",
        `ended_at = ended_at + interval '1 minute'`,
      ])
        await expect(rewrite('reader_actions', set, chosen.id), set).rejects.toThrow(/keeps what it was made/)
      const another = await like(chosen, {})
      for (const set of ['tip_action_id = null', `tip_action_id = '${another}'`])
        await expect(rewrite('reader_actions', set, body.id), set).rejects.toThrow(/keeps what it was made/)
      for (const set of ['waiter_id = null', `waiter_id = '${other.id}'`])
        await expect(rewrite('in_person_payments', set, body.in_person_payment_id), set).rejects.toThrow(
          /keeps what it was made/,
        )
    })
  })
})
