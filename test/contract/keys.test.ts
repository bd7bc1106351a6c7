import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { newMerchant } from '../support/merchant.ts'
import { stack } from '../support/stack.ts'

/* An Idempotency-Key is any 8 to 255 characters, as bytes on the wire: clients differ in how they write them. */

/** One create of a payment link with the key's own bytes; answers status, link and whether it was a replay. */
function create(
  bearer: string,
  key: Buffer,
): Promise<{ status: number; id: string; replayed: boolean; code?: string }> {
  const { hostname, port } = new URL(stack.sandbox.directUrl)
  const body = '{"manual_amount":120000,"currency":"mxn"}'
  const head = [
    'POST /v1/payment-links HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${bearer}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    'Idempotency-Key: ',
  ].join('\r\n')
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const parts: string[] = []
    socket.on('error', reject)
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => parts.push(part))
    socket.on('end', () => {
      const text = parts.join('')
      const json = /\{.*\}/s.exec(text)?.[0]
      const { id, error } = json ? JSON.parse(json) : { id: '', error: { code: text.slice(0, 80) } }
      const replayed = /^idempotent-replayed: true/im.test(text)
      resolve({ status: Number(text.slice(9, 12)), id, replayed, ...(error && { code: error.code }) })
    })
    socket.write(Buffer.concat([Buffer.from(head), key, Buffer.from(`\r\n\r\n${body}`)]))
  })
}

const own = randomUUID().slice(0, 4)
const keys: [what: string, key: Buffer][] = [
  ['accents in UTF-8', Buffer.from(`clé-é-${own}`)],
  ['Japanese', Buffer.from(`注文-1024-${own}`)],
  ['eight characters of four bytes', Buffer.from('🪑'.repeat(8))],
  ['255 characters of four bytes', Buffer.from('🪑'.repeat(255))],
  ['a tab and two spaces inside', Buffer.from(`a\tb  c-${own}`)],
  ['quotes and commas', Buffer.from(`"a", 'b';c=${own}`)],
]

test('each key makes its own link, and the same key again gets the same reply', async () => {
  const { apiKey } = await newMerchant()
  const first = await Promise.all(keys.map(([, key]) => create(apiKey, key)))
  expect(first.map(({ status, replayed }, at) => [keys[at]![0], status, replayed])).toEqual(
    keys.map(([what]) => [what, 201, false]),
  )
  expect(new Set(first.map(({ id }) => id)).size).toBe(keys.length)
  const again = await Promise.all(keys.map(([, key]) => create(apiKey, key)))
  expect(again).toEqual(first.map((reply) => ({ ...reply, replayed: true })))
})

test('HTTP strips white space around a key; nothing else is stripped', async () => {
  const { apiKey } = await newMerchant()
  const plain = await create(apiKey, Buffer.from(`plain-${own}`))
  const padded = await create(apiKey, Buffer.from(` \t plain-${own} \t`))
  expect(padded).toEqual({ ...plain, replayed: true })
  expect((await create(apiKey, Buffer.from(`Plain-${own}`))).replayed).toBe(false)
})

test.each([
  ['seven characters of two bytes', Buffer.from('é'.repeat(7))],
  ['256 characters of two bytes', Buffer.from('é'.repeat(256))],
  // The platform turns every byte that is not UTF-8 into the same character: two keys would become one.
  ['accents in Latin-1', Buffer.from(`clé-é-${own}`, 'latin1')],
  ['half a character of UTF-8', Buffer.concat([Buffer.from(`1234-${own}`), Buffer.from([0xe6, 0xb3])])],
  ['eight spaces', Buffer.from(' '.repeat(8))],
])('refused: %s', async (_what, key) => {
  const { apiKey } = await newMerchant()
  const { status, code } = await create(apiKey, key)
  expect([status, code]).toEqual([400, 'idempotency_key_invalid'])
})
