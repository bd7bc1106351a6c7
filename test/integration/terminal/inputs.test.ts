import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { asks } from '../../support/devices.ts'
import { placesOf } from '../../support/places.ts'
import { adminSql, control } from '../../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  asksFor,
  type Counter,
  cancel,
  eventsOf,
  newCounter,
  newPhoneCounter,
  read,
  refusal,
  reports,
  times,
} from '../../support/terminal.ts'

const choices = [
  { id: 'friend', text: 'Por un amigo' },
  { id: 'street', text: 'Pasé por aquí' },
]
const email = { type: 'email', title: '¿A qué correo va tu factura?', required: true }
const how = { type: 'selection', title: '¿Cómo nos conociste?', description: 'Nos ayuda.', choices }
const one = (type: string) => ({ type, title: 'Pregunta' })

const asksInputs = (counter: Counter, inputs: readonly object[] = [email, how], key?: string) =>
  asksFor(counter, 'collect-input', { inputs }, key)
const answers = (counter: Counter, action: Action, ...given: object[]) =>
  reports(counter, action, { outcome: 'completed', answers: given })
const later = ({ merchant }: Counter, advance: string) =>
  ask(merchant, 'POST', '/v1/sandbox/clock', { advance })

describe('a reader asks its buyer for inputs', () => {
  test('one after the other, and the merchant reads what was given', async () => {
    const counter = await newCounter()
    const { status, body } = await asksInputs(counter)
    expect([status, body.status, body.payment_id]).toEqual([201, 'in_progress', null])
    const inputs = [
      { ...email, description: null, choices: null },
      { ...how, required: false },
    ]
    expect(body).toMatchObject({ type: 'collect_input', inputs, answers: null, answers_until: null })
    const next = await asks<{ action: Action }>(counter.reader.credential, 'GET', '/v1/device/next-action')
    expect(next.body.action).toMatchObject({ id: body.id, type: 'collect_input', inputs })
    const reported = await answers(counter, body, { value: ' Ana@Example.com' }, { skipped: true })
    expect(answerOf(reported)).toBe('200 succeeded')
    expect(reported.body).not.toHaveProperty('answers')
    const after = await read(counter, body)
    const given = [{ value: 'ana@example.com' }, { value: null }]
    expect(after).toMatchObject({ status: 'succeeded', inputs, answers: given })
    const until = new Date(Date.parse(after.ended_at!) + 86_400_000).toISOString()
    expect(after).toMatchObject({ answers_until: until })
  })

  test.each([
    ['text', 'Ana', 'Ana'],
    ['numeric', '0042', '0042'],
    ['phone', '+525512345678', '+525512345678'],
    ['email', 'ANA@ejemplo.mx', 'ana@ejemplo.mx'],
  ])('%s takes %j', async (type, value, stored) => {
    const counter = await newCounter()
    const { body } = await asksInputs(counter, [one(type)])
    expect(answerOf(await answers(counter, body, { value }))).toBe('200 succeeded')
    expect(await read(counter, body)).toMatchObject({ answers: [{ value: stored }] })
  })

  const skipped = { skipped: true }
  const refused = async (counter: Counter, body: Action, cases: readonly (readonly [object[], string])[]) => {
    for (const [given, refusedAs] of cases)
      expect(refusal(await answers(counter, body, ...given))).toBe(`422 ${refusedAs}`)
    expect((await read(counter, body)).status).toBe('in_progress')
  }

  test('and what does not fit is refused by its place', async () => {
    const counter = await newCounter()
    const asked = [email, how, one('numeric'), one('phone'), one('text')]
    const { body } = await asksInputs(counter, asked)
    const good: object[] = [{ value: 'a@b.mx' }, skipped, skipped, skipped, skipped]
    const but = (at: number, answer: object) => good.with(at, answer)
    await refused(counter, body, [
      [good.slice(1), 'parameter_invalid answers'],
      [[...good, skipped], 'parameter_invalid answers'],
      [[], 'parameter_invalid answers'],
      [but(0, skipped), 'parameter_invalid answers.0.skipped'],
      [but(0, { value: 'ana' }), 'parameter_invalid answers.0.value'],
      [but(1, { value: 'Por un amigo' }), 'parameter_invalid answers.1.value'],
      [but(2, { value: '12a' }), 'parameter_invalid answers.2.value'],
      [but(2, { value: '4242424242424242' }), 'card_number_refused answers.2.value'],
      [but(3, { value: '5512345678' }), 'parameter_invalid answers.3.value'],
      [but(4, { value: 'x'.repeat(501) }), 'parameter_invalid answers.4.value'],
      [but(4, { value: '  ' }), 'parameter_invalid answers.4.value'],
      [but(4, { value: 'es 4242 4242 4242 4242' }), 'card_number_refused answers.4.value'],
      [but(4, {}), 'parameter_missing answers.4.value'],
    ])
    const over = { outcome: 'failed', answers: good }
    expect(refusal(await reports(counter, body, over))).toBe('422 parameter_unknown answers')
    expect(refusal(await reports(counter, body, { outcome: 'completed' }))).toBe(
      '422 parameter_missing answers',
    )
    expect(answerOf(await reports(counter, body, { outcome: 'failed' }))).toBe('200 failed')
    expect(await read(counter, body)).toMatchObject({ answers: null, answers_until: null })
    const { body: pinged } = await asksFor(counter, 'ping')
    expect(refusal(await answers(counter, pinged, skipped))).toBe('422 parameter_unknown answers')
  })

  test('that are one to five, each with what its type needs', async () => {
    const counter = await newCounter()
    const select = (list: unknown) => [{ ...how, choices: list }]
    for (const [inputs, param] of [
      [[], 'inputs'],
      [Array(6).fill(email), 'inputs'],
      [[one('signature')], 'inputs.0.type'],
      [[{ ...email, title: ' ' }], 'inputs.0.title'],
      [[{ ...email, title: 'x'.repeat(61) }], 'inputs.0.title'],
      [[email, { ...email, description: 'x'.repeat(201) }], 'inputs.1.description'],
      [[{ ...email, choices }], 'inputs.0.choices'],
      [select(choices.slice(1)), 'inputs.0.choices'],
      [select(Array.from({ length: 9 }, (_, id) => ({ id: `${id}`, text: 'x' }))), 'inputs.0.choices'],
      [select([...choices, choices[0]]), 'inputs.0.choices'],
    ] as [object[], string][])
      expect(refusal(await asksInputs(counter, inputs))).toBe(`422 parameter_invalid ${param}`)
    expect(refusal(await asksInputs(counter, [one('selection')]))).toBe(
      '422 parameter_missing inputs.0.choices',
    )
    expect(answerOf(await asksInputs(await newPhoneCounter()))).toBe('404 route_not_found')
  })

  test('once: of 50 reports at once one counts, and its repetition is answered alike', async () => {
    const counter = await newCounter()
    const { body } = await asksInputs(counter, [one('numeric')])
    const results = await times((at) => answers(counter, body, { value: `${at % 2}` }))
    const outcomes = results.map(answerOf)
    expect(outcomes.filter((outcome) => outcome === '200 succeeded')).toHaveLength(25)
    expect(outcomes.filter((outcome) => outcome === '409 reader_action_reported')).toHaveLength(25)
    expect(await eventsOf(counter.merchant, 'reader_action')).toEqual(['created', 'succeeded'])
    const [{ value }] = ((await read(counter, body)) as Action & { answers: [{ value: string }] }).answers
    expect(results[Number(value)]!.status).toBe(200)
    expect(answerOf(await cancel(counter, body))).toBe('409 reader_action_over')
  })
})

describe('what a buyer gave', () => {
  const given = async (counter: Counter) => {
    const mark = `b${randomUUID()}`
    const key = randomUUID()
    const { body } = await asksInputs(counter, [one('text'), one('text')], key)
    const report = () => answers(counter, body, { value: mark }, { skipped: true })
    return { mark, key, body, report }
  }

  test('is in its action alone, and in nothing once a day has passed', async () => {
    const counter = await newCounter()
    const { mark, key, body, report } = await given(counter)
    await report()
    expect(answerOf(await report())).toBe('200 succeeded')
    const replayed = await asksInputs(counter, [one('text'), one('text')], key)
    expect(replayed.body).toMatchObject({ id: body.id, status: 'in_progress', answers: null })
    expect(await placesOf(mark)).toEqual(['sandbox public.reader_actions'])
    const [event] = await adminSql('sandbox')<{ object: object }>(
      `select object from events where tenant_id = $1 and type = 'reader_action.succeeded'`,
      [counter.merchant.tenantId],
    )
    expect(event!.object).toMatchObject({ type: 'collect_input', answers_until: expect.any(String) })
    expect(event!.object).not.toHaveProperty('answers')
    await later(counter, 'PT23H')
    await control.trigger('sandbox')
    expect(await read(counter, body)).toMatchObject({ answers: [{ value: mark }, { value: null }] })
    const { version } = await read(counter, body)
    await later(counter, 'PT1H')
    await control.trigger('sandbox')
    await expect.poll(() => read(counter, body)).toMatchObject({ status: 'succeeded', answers: null })
    expect((await read(counter, body)).version).toBeGreaterThan(version)
    expect(await placesOf(mark)).toEqual([])
    expect(answerOf(await report())).toBe('409 reader_action_reported')
  })

  test('stands in the database as it was given: one for each input, and until its time', async () => {
    const counter = await newCounter()
    const { body, report } = await given(counter)
    const sets = (what: string) =>
      adminSql('sandbox')(`update reader_actions set ${what} where id = $1`, [body.id])
    const ends = `status = 'succeeded', ended_at = now(), updated_at = now(), answers_until = now() + interval '1 hour'`
    for (const wrong of [
      `${ends}, answers = '["a"]'`,
      ends,
      `answers = '["a", "b"]'`,
      `${ends.replace('1 hour', '25 hours')}, answers = '["a", "b"]'`,
    ])
      await expect(sets(wrong)).rejects.toMatchObject({ constraint: 'reader_actions_answers' })
    await report()
    await expect(sets('answers = null')).rejects.toMatchObject({ constraint: 'reader_actions_answers' })
    await expect(sets(`answers = '["a", "b"]'`)).rejects.toMatchObject({ code: 'SP460' })
    await expect(sets(`inputs = '[{}, {}]'`)).rejects.toMatchObject({ code: 'SP460' })
    const { body: pinged } = await asksFor(counter, 'ping')
    const asked = adminSql('sandbox')(`update reader_actions set inputs = '[{}]' where id = $1`, [pinged.id])
    await expect(asked).rejects.toThrow()
  })
})
