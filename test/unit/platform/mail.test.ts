import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIL_API_KEY, type Mailbox, type MailFault, mailsTo, startMailbox } from '../../../local/mailbox.ts'
import { type Mail, resend, type SendMail } from '../../../src/platform/mail.ts'

let mailbox: Mailbox
let send: SendMail
beforeAll(async () => {
  mailbox = await startMailbox()
  send = resend({
    apiKey: MAIL_API_KEY,
    from: 'Spindle <no-reply@spindle.example>',
    webhookSecrets: [],
    apiBase: mailbox.url,
  })
})
afterAll(() => mailbox.close())

const mailTo = (to: string): Mail => ({ to, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' })

const failures: [mode: MailFault['mode'], reason: string, handedOver: number][] = [
  ['500', '500 application_error', 1],
  ['500_after', '500 internal_server_error', 2],
  ['429', '429 rate_limit_exceeded', 1],
  ['cut_after', 'connection', 2],
]
test.each(failures)('%s is an unknown outcome; the same key sends once', async (mode, reason, handedOver) => {
  const to = `${mode}@example.com`
  await fetch(`${mailbox.url}/faults`, { method: 'POST', body: JSON.stringify({ mode, to, times: 1 }) })
  expect(await send(mode, mailTo(to))).toEqual({ status: 'unknown', reason })
  expect(await send(mode, mailTo(to))).toEqual({ status: 'sent', reason: '200' })
  expect(await mailsTo(mailbox.url, to)).toMatchObject([{ key: mode, to, handedOver }])
})

test('a short Retry-After is waited for; under a long one nothing more is handed over', async () => {
  const sender = resend({
    apiKey: MAIL_API_KEY,
    from: 'a@example.com',
    webhookSecrets: [],
    apiBase: mailbox.url,
  })
  const [soon, late, other] = ['soon@example.com', 'late@example.com', 'other@example.com']
  for (const [to, retryAfter] of [
    [soon, 0.1],
    [late, 60],
  ])
    await fetch(`${mailbox.url}/faults`, {
      method: 'POST',
      body: JSON.stringify({ mode: '429', to, times: 1, retryAfter }),
    })
  expect(await sender('soon', mailTo(soon))).toEqual({ status: 'sent', reason: '200' })
  const unknown = { status: 'unknown', reason: '429 Retry-After' }
  expect(await sender('late', mailTo(late))).toEqual(unknown)
  expect(await sender('other', mailTo(other))).toEqual(unknown)
  const handedOver = async (to: string) =>
    (await mailsTo(mailbox.url, to)).map(({ handedOver }) => handedOver)
  expect(await Promise.all([soon, late, other].map(handedOver))).toEqual([[1], [], []])
})

test.each([
  [
    'Ñandú S.A. de C.V.',
    'hola@nandu.mx',
    'Ñandú SA de CV via Spindle <no-reply@spindle.example>',
    'hola@nandu.mx',
  ],
  [
    'Café\r\nBcc: x@example.com, "Azul" <a@b.mx>',
    null,
    'Café Bcc x examplecom Azul a bmx via Spindle <no-reply@spindle.example>',
    undefined,
  ],
  ['x'.repeat(200), 'a@b.mx, c@d.mx', `${'x'.repeat(60)} via Spindle <no-reply@spindle.example>`, undefined],
  ['<>', 'a@b.mx\nBcc: c@d.mx', 'Spindle <no-reply@spindle.example>', undefined],
])(
  'a mail of the business %j comes from it by us, and is answered to it',
  async (name, replyTo, from, to) => {
    const reader = `${[...name].length}-${name.charCodeAt(0)}@example.com`
    await send(`by ${reader}`, { ...mailTo(reader), sender: { name, replyTo, locale: 'en' } })
    const [mail] = await mailsTo(mailbox.url, reader)
    expect([mail!.from, mail!.reply_to]).toEqual([from, to])
  },
)

test('a body that another version of the code wrote: the first one was sent', async () => {
  const to = 'deployed@example.com'
  await send('deployed', mailTo(to))
  const again = await send('deployed', { ...mailTo(to), text: 'Good day' })
  expect(again).toEqual({ status: 'sent', reason: '409 invalid_idempotent_request' })
  expect(await mailsTo(mailbox.url, to)).toMatchObject([{ text: 'Hello' }])
})

test('a wrong API key is no refusal of the mail', async () => {
  const wrong = resend({ apiKey: 'wrong', from: 'a@example.com', webhookSecrets: [], apiBase: mailbox.url })
  const outcome = await wrong('wrong', mailTo('ana@example.com'))
  expect(outcome).toEqual({ status: 'unknown', reason: '403 invalid_api_key' })
})

test('the subject stays one line', async () => {
  const to = 'lines@example.com'
  await send('lines', { ...mailTo(to), subject: 'Hello\r\nBcc: eve@example.com' })
  expect(await mailsTo(mailbox.url, to)).toMatchObject([{ to, subject: 'Hello Bcc: eve@example.com' }])
})

test.each([
  'ana@example.com\r\nBcc: eve@example.com',
  'ana@example.com, eve@example.com',
  'Ana <ana@example.com>',
  'ana@example.com;eve@example.com',
  'ana@eve@example.com\u0000',
  '"ana eve"@example.com',
  'ana',
])('nothing is sent to %j', async (to) => {
  expect(await send('address', mailTo(to))).toEqual({ status: 'refused', reason: 'address' })
})
