import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { importSecret, newSecret, signedHeaders } from '../../../functions/webhooks/signing.ts'

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
