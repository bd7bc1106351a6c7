import { Problem } from '../problems.ts'
import type { Services } from '../services.ts'

/**
 * What the other environment answers this customer.
 * @throws Problem where it does not answer
 */
export async function readElsewhere({ settings }: Services, bearer: string, path: string): Promise<unknown> {
  const { environment, liveBaseUrl, sandboxBaseUrl, databaseTimeoutMs } = settings
  const base = environment === 'live' ? sandboxBaseUrl : liveBaseUrl
  try {
    const reply = await fetch(base + path, {
      headers: { Authorization: `Bearer ${bearer}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(databaseTimeoutMs),
    })
    if (reply.ok) return await reply.json()
    await reply.body?.cancel()
    throw new Error(`the other environment answered ${reply.status}`)
  } catch (cause) {
    throw new Problem('other_environment_unavailable', { headers: { 'Retry-After': '5' } }, { cause })
  }
}
