import { describe, expect, test } from 'vitest'
import { words } from '../../../functions/developer/simulator/pages/text-device.ts'
import { brokenRules, pageState } from '../../support/books.ts'
import { asks } from '../../support/devices.ts'
import { onPaper } from '../../support/escpos.ts'
import { wordsIn } from '../../support/pdf.ts'
import { refund, settleRefunds } from '../../support/refunds.ts'
import { control, stack } from '../../support/stack.ts'
import {
  type Action,
  ask,
  type Counter,
  cancel,
  eventsOf,
  inPerson,
  newCounter,
  newPhoneCounter,
  paymentOf,
  present,
  process,
  read,
} from '../../support/terminal.ts'
import { eventsOf as paymentEventsOf } from '../payments/story.ts'

/** What each place says of one payment at a device. */
interface Said {
  readonly action: string
  /** The status of the payment in person, and of its payment. */
  readonly inPerson: string
  readonly payment: string
  /** The buyer's page. */
  readonly page: string
  /** What is printed across the receipt; `none`: there is no receipt. */
  readonly receipt: string
  readonly paymentEvents: string
  readonly actionEvents: string
}
type Row = readonly [
  state: string,
  steps: (counter: Counter, action: Action) => Promise<unknown>,
  says: Said,
  asked?: object,
]

const advance = async ({ merchant }: Counter, by: string) => {
  await ask(merchant, 'POST', '/v1/sandbox/clock', { advance: by })
  await control.trigger('sandbox')
}
const beginning = { paymentEvents: 'created requires_action', actionEvents: 'created' } as const
const waiting = {
  action: 'in_progress',
  payment: 'requires_action',
  page: 'processing',
  receipt: 'none',
  ...beginning,
} as const
const paid = {
  action: 'succeeded',
  inPerson: 'succeeded',
  payment: 'succeeded',
  page: 'succeeded',
  receipt: 'paid',
  paymentEvents: 'created requires_action succeeded',
  actionEvents: 'created succeeded',
} as const
const held = { capture_method: 'manual' }
const notAnswered = async (counter: Counter) => {
  await present(counter, { answer: 'late' })
  await advance(counter, 'PT5M')
}

const rows: readonly Row[] = [
  ['waits for a card', async () => {}, { ...waiting, inPerson: 'waiting_device' }],
  [
    'has its card read',
    (counter, { id }) =>
      asks(counter.reader.credential, 'POST', `/v1/device/actions/${id}/progress`, { step: 'reading_card' }),
    { ...waiting, inPerson: 'in_progress' },
  ],
  [
    'is not answered by the bank in its time',
    notAnswered,
    { ...waiting, action: 'unknown', inPerson: 'unknown', actionEvents: 'created unknown' },
  ],
  [
    'is contradicted by the processor',
    (counter) => present(counter, { card: 'tok_sbx_amount_mismatch' }),
    {
      ...waiting,
      action: 'unknown',
      inPerson: 'unknown',
      page: 'under_review',
      paymentEvents: 'created requires_action amount_mismatch',
      actionEvents: 'created unknown',
    },
  ],
  [
    'is approved after its time',
    async (counter) => {
      await notAnswered(counter)
      await advance(counter, 'PT1H')
    },
    { ...paid, actionEvents: 'created unknown succeeded' },
  ],
  [
    'is declined after its time',
    async (counter) => {
      await present(counter, { card: 'tok_sbx_decline_funds', answer: 'late' })
      await advance(counter, 'PT5M')
      await advance(counter, 'PT1H')
    },
    {
      ...waiting,
      action: 'failed',
      inPerson: 'declined',
      payment: 'requires_payment_method',
      page: 'declined',
      paymentEvents: 'created requires_action declined',
      actionEvents: 'created unknown failed',
    },
  ],
  [
    'is paid while its answer was lost',
    async (counter) => {
      await present(counter, { answer: 'lost' })
      await advance(counter, 'PT4M')
    },
    paid,
  ],
  [
    'is declined',
    (counter) => present(counter, { card: 'tok_sbx_decline_funds' }),
    {
      ...waiting,
      action: 'failed',
      inPerson: 'declined',
      payment: 'requires_payment_method',
      page: 'declined',
      paymentEvents: 'created requires_action declined',
      actionEvents: 'created failed',
    },
  ],
  [
    'is canceled',
    (counter, action) => cancel(counter, action),
    {
      ...waiting,
      action: 'canceled',
      inPerson: 'canceled',
      payment: 'canceled',
      page: 'canceled',
      paymentEvents: 'created requires_action canceled',
      actionEvents: 'created canceled',
    },
  ],
  [
    'is shown no card in its time',
    (counter) => advance(counter, 'PT5M'),
    {
      ...waiting,
      action: 'timed_out',
      inPerson: 'timed_out',
      payment: 'expired',
      page: 'expired',
      paymentEvents: 'created requires_action expired',
      actionEvents: 'created timed_out',
    },
  ],
  [
    'is authorized',
    (counter) => present(counter),
    {
      ...paid,
      inPerson: 'authorized',
      payment: 'requires_capture',
      page: 'requires_capture',
      receipt: 'authorized',
      paymentEvents: 'created requires_action authorized',
    },
    held,
  ],
  [
    'is authorized and let go',
    async (counter, action) => {
      await present(counter)
      await inPerson(counter, action, 'cancel')
    },
    {
      ...paid,
      inPerson: 'canceled',
      payment: 'canceled',
      page: 'canceled',
      receipt: 'canceled',
      paymentEvents: 'created requires_action authorized canceled',
    },
    held,
  ],
  [
    'is captured in part',
    async (counter, action) => {
      await present(counter)
      await inPerson(counter, action, 'capture', { body: { amount: '50000' } })
    },
    {
      ...paid,
      payment: 'partially_captured',
      page: 'partially_captured',
      paymentEvents: 'created requires_action authorized partially_captured',
    },
    held,
  ],
  ['is paid', (counter) => present(counter), paid],
  [
    'is refunded in part',
    async (counter, { payment_id }) => {
      await present(counter)
      await refund(counter.merchant, { payment_id, amount: '20000' })
      await settleRefunds(counter.merchant.tenantId)
    },
    { ...paid, receipt: 'partially_refunded', paymentEvents: `${paid.paymentEvents} refunded` },
  ],
]

const bytesOf = (path: string, bearer?: string) =>
  fetch(stack.sandbox.directUrl + path, {
    redirect: 'manual',
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
  })

/** Whatever a text says to people: no tags, no styles. */
const told = (html: string) =>
  html.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, ' ')

/** A JSON without what is null: a field that could name a failure is no failure. */
const filled = (body: unknown) => JSON.stringify(body, (_, value) => value ?? undefined)

/** Everything that is said of a payment at a device, and as which status. */
async function saidOf(counter: Counter, action: Action) {
  const { merchant, reader } = counter
  const texts: string[] = []
  const says = <T>(body: T) => {
    texts.push(filled(body) ?? '')
    return body
  }
  const shown = says(await read(counter, action))
  const path = `/v1/device/actions/${action.id}`
  const device = says((await asks<{ status: string }>(reader.credential, 'GET', path)).body)
  const sale = says((await inPerson(counter, action)).body)
  const payment = says(await paymentOf(counter, action))
  const page = `/${sale.public_id}/${payment.public_id}`
  texts.push(told(await (await bytesOf(`${page}?lang=en`)).text()))
  const at = `/v1/in-person-payments/${action.in_person_payment_id}/receipt`
  const receipt = await ask<{ mark: string | null }>(merchant, 'GET', at)
  const files = await Promise.all(
    ['.pdf', '.escpos'].map(async (suffix) => {
      const file = await bytesOf(`${at}${suffix}?locale=en`, merchant.apiKey)
      return { status: file.status, bytes: new Uint8Array(await file.arrayBuffer()) }
    }),
  )
  const own = await bytesOf(`${page}/receipt.pdf?lang=en`)
  const isPaid = receipt.status === 200
  // All four papers are there, or none of them; the buyer's own file is for what is paid.
  expect(files.map(({ status }) => status)).toEqual([receipt.status, receipt.status])
  if (!isPaid) expect([receipt.status, own.status]).toEqual([409, 303])
  const [pdf, printed] = files
  const papers = isPaid
    ? [
        wordsIn(pdf!.bytes).join('\n'),
        onPaper(printed!.bytes)
          .lines.map(({ text }) => text)
          .join('\n'),
      ]
    : []
  return {
    texts,
    papers,
    device: device.status,
    said: {
      action: shown.status,
      inPerson: sale.status,
      payment: String(payment.status),
      page: (await pageState(page)).state ?? '',
      receipt: isPaid ? (receipt.body.mark ?? 'paid') : 'none',
      paymentEvents: (await paymentEventsOf(merchant, action.payment_id))
        .map((type) => type.slice('payment.'.length))
        .filter((type) => !type.startsWith('funds'))
        .join(' '),
      actionEvents: (await eventsOf(merchant, 'reader_action')).join(' '),
    },
  }
}

const marks: Readonly<Record<string, RegExp>> = {
  authorized: /: AUTHORIZED\b/,
  canceled: /: CANCELED\b/,
  partially_refunded: /: PARTLY REFUNDED\b/,
}

describe.each([
  ['a reader', newCounter],
  ['a phone', newPhoneCounter],
] as const)('a payment at %s', (_device, newOne) => {
  test.each(rows.map(([state, steps, says, asked = {}]) => [state, steps, says, asked] as const))(
    'that %s is said to be that everywhere',
    async (_state, steps, says, asked) => {
      const counter = await newOne()
      const { body: action } = await process(counter, asked)
      await steps(counter, action)
      await expect.poll(async () => (await saidOf(counter, action)).said).toEqual(says)
      const { texts, papers, device } = await saidOf(counter, action)
      // The device is told what the merchant is.
      expect(device).toBe(says.action)
      for (const paper of papers)
        for (const [mark, isThere] of Object.entries(marks))
          expect(isThere.test(paper.replaceAll(/\s+/g, ' ')), mark).toBe(says.receipt === mark)
      const failed = texts.filter((text) => /fail|declin|reject/i.test(text))
      if (says.inPerson === 'declined') expect(failed).not.toEqual([])
      else expect(failed).toEqual([])
      expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
    },
  )
})

test.each(['es-MX', 'en'] as const)(
  '%s: the page of a device has words for each end, and none says failed for unknown',
  async (lang) => {
    const html = await (await bytesOf(`/simulator/device?lang=${lang === 'en' ? 'en' : 'es'}`)).text()
    const { done } = words[lang]
    for (const status of ['succeeded', 'failed', 'canceled', 'timed_out', 'unknown'] as const)
      expect(html).toContain(`data-${status}="${done[status]}"`)
    expect(done.unknown).not.toMatch(/fail|declin|rechaz|fall/i)
  },
)
