import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, signedHeaders } from '../../../functions/developer/webhooks/signing.ts'
import { importSecret, isSigned, signatureOf } from '../../../src/platform/standard-webhooks.ts'

const now = () => Math.floor(Date.now() / 1000)
const message = { id: '0190a6d2-7c3e-7b1a-9f00-000000000005', timestamp: now(), body: '{"a":"ñ 🪑","b":1}' }

async function signed(secrets: readonly string[], one = message) {
  return signedHeaders(one, await Promise.all(secrets.map(importSecret)))
}

test('a secret is whsec_ and the base64 of 32 bytes, never the same twice', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
})

test('signs as the standard’s own package does', async () => {
  const secret = newSecret()
  const headers = await signed([secret])
  const expected = new Webhook(secret).sign(message.id, new Date(message.timestamp * 1000), message.body)
  expect(headers['webhook-signature']).toBe(expected)
  expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
})

test('during a rotation both secrets open it', async () => {
  const [fresh, old] = [newSecret(), newSecret()]
  const headers = await signed([fresh, old])
  expect(headers['webhook-signature']!.split(' ')).toHaveLength(2)
  for (const secret of [fresh, old]) expect(new Webhook(secret).verify(message.body, headers)).toBeTruthy()
})

describe('the package refuses', () => {
  const secret = newSecret()
  const bad: [what: string, spoil: () => Promise<[string, string, Record<string, string>]>][] = [
    ['a tampered body', async () => [secret, message.body.replace('1', '2'), await signed([secret])]],
    ['one more byte', async () => [secret, `${message.body} `, await signed([secret])]],
    ['another id', async () => [secret, message.body, { ...(await signed([secret])), 'webhook-id': 'x' }]],
    [
      'an old timestamp',
      async () => [secret, message.body, await signed([secret], { ...message, timestamp: now() - 301 })],
    ],
    [
      'a timestamp ahead',
      async () => [secret, message.body, await signed([secret], { ...message, timestamp: now() + 310 })],
    ],
    [
      'a moved timestamp',
      async () => [
        secret,
        message.body,
        { ...(await signed([secret])), 'webhook-timestamp': String(message.timestamp + 1) },
      ],
    ],
    ['a wrong secret', async () => [newSecret(), message.body, await signed([secret])]],
    [
      'no signature',
      async () => [secret, message.body, { ...(await signed([secret])), 'webhook-signature': '' }],
    ],
    [
      'another version',
      async () => {
        const headers = await signed([secret])
        const signature = headers['webhook-signature']!.replace('v1,', 'v0,')
        return [secret, message.body, { ...headers, 'webhook-signature': signature }]
      },
    ],
  ]
  test.each(bad)('%s', async (_what, spoil) => {
    const [key, body, headers] = await spoil()
    expect(() => new Webhook(key).verify(body, headers)).toThrow(WebhookVerificationError)
  })
})

describe('what Svix signs for others', () => {
  const [secret, other] = [newSecret(), newSecret()]
  const at = (seconds: number) => new Date((message.timestamp + seconds) * 1_000)
  const signature = async (one = message) => signatureOf(await importSecret(secret), one)
  const old = { ...message, timestamp: message.timestamp - 10_000 }
  test.each<[what: string, held: () => Promise<boolean>, is: boolean]>([
    ['as it is', async () => isSigned(message, await signature(), [secret], at(299)), true],
    [
      'among others',
      async () => isSigned(message, `v1,eA== ${await signature()}`, [other, secret], at(0)),
      true,
    ],
    ['under another secret', async () => isSigned(message, await signature(), [other], at(0)), false],
    ['without a secret', async () => isSigned(message, await signature(), [], at(0)), false],
    [
      'more than five minutes old',
      async () => isSigned(message, await signature(), [secret], at(301)),
      false,
    ],
    ['ahead of its time', async () => isSigned(message, await signature(), [secret], at(-301)), false],
    ['dated again', async () => isSigned(message, await signature(old), [secret], at(0)), false],
    [
      'without a time',
      async () => isSigned({ ...message, timestamp: NaN }, await signature(), [secret], at(0)),
      false,
    ],
    [
      'with another body',
      async () => isSigned({ ...message, body: '{}' }, await signature(), [secret], at(0)),
      false,
    ],
    [
      'with another id',
      async () => isSigned({ ...message, id: 'x' }, await signature(), [secret], at(0)),
      false,
    ],
    ['without a signature', async () => isSigned(message, '', [secret], at(0)), false],
  ])('%s', async (_what, held, is) => {
    expect(await held()).toBe(is)
  })
})
