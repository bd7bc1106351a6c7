import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import type { Message } from '../../../src/platform/standard-webhooks.ts'
import type { SendResult } from './plan-outcome.ts'
import { signedHeaders } from './signing.ts'

export const timeoutMs = 10_000
const keptBytes = 1024
/** How long the response body may take after its status. */
const bodyMs = 1_000

/** Sends one message once. Never throws: whatever happens is an outcome. */
export async function sendOnce(
  url: string,
  message: Message,
  keys: readonly CryptoKey[],
  userAgent: string,
): Promise<SendResult> {
  const startedAt = Date.now()
  const took = () => ({ startedAt: new Date(startedAt), durationMs: Date.now() - startedAt })
  const nothing = { responseStatus: null, responseBody: null, retryAfter: null }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': userAgent,
        ...(await signedHeaders(message, keys)),
      },
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      failure: failureOf(response.status),
      responseStatus: response.status,
      retryAfter: response.headers.get('retry-after'),
      responseBody: await firstBytes(response),
      ...took(),
    }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    return { failure: late ? 'timeout' : 'connection', ...nothing, ...took() }
  }
}

function failureOf(status: number): SendResult['failure'] {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'redirect'
  return status === 410 ? 'gone' : 'status'
}

/**
 * The beginning of the response, as text; not stored when it contains a card number. The status counts whatever the
 * body does.
 */
async function firstBytes(response: Response): Promise<string | null> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (!reader) return null
  const bytes: number[] = []
  const over = new Promise<null>((resolve) => setTimeout(resolve, bodyMs, null))
  try {
    while (bytes.length < keptBytes) {
      const read = await Promise.race([reader.read(), over])
      if (read === null || read.done) break
      for (const byte of read.value.subarray(0, keptBytes - bytes.length)) bytes.push(byte)
    }
  } catch {
    // Keep what arrived before it broke.
  }
  await Promise.race([reader.cancel().catch(() => {}), over])
  const text = new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll('\u0000', '')
  return containsCardNumber(text) ? '[contained what looks like a card number]' : text
}
