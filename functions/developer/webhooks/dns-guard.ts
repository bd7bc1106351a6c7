import type { Settings } from '../../../src/env/settings.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import type { Gate } from '../../../src/platform/gate.ts'
import { type AddressRefusal, isLiteral, isPublicAddress, refuseAddress } from './url-policy.ts'

const timeoutMs = 3_000
const [typeA, typeAAAA] = [1, 28]

/** Why an address is refused: its text, or what its name resolves to. */
export type Unsendable =
  | { readonly failure: 'address'; readonly reason: AddressRefusal }
  | { readonly failure: 'dns'; readonly reason: string }

/**
 * The address guard, on save and again on each send, because the name may resolve to something else by then. Every
 * address of the name must be public. A Worker cannot pin the resolved address: `global_fetch_strictly_public` is the
 * second guard, and redirects are not followed.
 */
export async function guardAddress(
  { webhooks }: Settings,
  text: string,
  gate: Gate = (look) => look(),
): Promise<Unsendable | null> {
  const reason = refuseAddress(text, webhooks)
  if (reason) return { failure: 'address', reason }
  const { hostname } = new URL(text)
  if (webhooks.dnsOverHttpsUrl === null || isLiteral(hostname) || isThisMachine(hostname, webhooks))
    return null
  try {
    const answers = await Promise.all(
      ['A', 'AAAA'].map((type) => gate(() => resolve(webhooks.dnsOverHttpsUrl!, hostname, type))),
    )
    const addresses = answers.flat()
    if (addresses.length === 0) return { failure: 'dns', reason: 'must have a name that resolves' }
    return addresses.every(isPublicAddress)
      ? null
      : { failure: 'dns', reason: 'must not resolve to an address that is not public' }
  } catch {
    return { failure: 'dns', reason: 'could not be resolved just now; try again' }
  }
}

const isThisMachine = (hostname: string, { toThisMachine }: Settings['webhooks']) =>
  toThisMachine && hostname === 'localhost'

interface DnsReply {
  readonly Status: number
  readonly Answer?: readonly { readonly type: number; readonly data: string }[]
}

/** DNS over HTTPS with JSON, as Cloudflare and Google offer it. Aliases come with their targets. */
async function resolve(resolverUrl: string, name: string, type: string): Promise<string[]> {
  const url = `${resolverUrl}?name=${encodeURIComponent(name)}&type=${type}`
  const response = await fetch(url, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Fault(`the resolver answered ${response.status}`)
  const { Status, Answer = [] } = (await response.json()) as DnsReply
  const [ok, noSuchName] = [0, 3]
  if (Status === noSuchName) return []
  if (Status !== ok) throw new Fault(`the resolver answered ${Status}`)
  return Answer.filter((answer) => answer.type === typeA || answer.type === typeAAAA).map(({ data }) => data)
}
