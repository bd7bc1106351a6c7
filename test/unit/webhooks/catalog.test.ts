import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, signedHeaders } from '../../../functions/developer/webhooks/signing.ts'
import { messageOf } from '../../../local/openapi/webhooks.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'
import { importSecret } from '../../../src/platform/standard-webhooks.ts'

const now = () => Math.floor(Date.now() / 1000)

const signed = async (secret: string, id: string, body: string, timestamp = now()) =>
  signedHeaders({ id, timestamp, body }, [await importSecret(secret)])

describe.each(eventTypeNames)('%s, as the document shows it', (type) => {
  const message = messageOf(type)
  const body = JSON.stringify(message)
  const secret = newSecret()

  test('verifies with the standard’s own package', async () => {
    const headers = await signed(secret, message.id, body)
    expect(new Webhook(secret).verify(body, headers)).toEqual({ ...message, type })
  })

  test('is refused by it: tampered with, too old, under another secret', async () => {
    const headers = await signed(secret, message.id, body)
    const tampered = body.replace('"sandbox"', '"live"')
    expect(tampered).not.toBe(body)
    const spoilt: [key: string, text: string, headers: Record<string, string>][] = [
      [secret, tampered, headers],
      [secret, body, await signed(secret, message.id, body, now() - 301)],
      [newSecret(), body, headers],
    ]
    for (const [key, text, sent] of spoilt)
      expect(() => new Webhook(key).verify(text, sent)).toThrow(WebhookVerificationError)
  })
})
