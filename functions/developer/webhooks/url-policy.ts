import ipaddr from 'ipaddr.js'

/** Why an address is refused, in words for the merchant. */
export type AddressRefusal =
  | 'must be an absolute URL in ASCII, without spaces'
  | 'must be written as it is sent, with nothing that a parser repairs'
  | 'must use https'
  | 'must not carry a user name or a password'
  | 'must not have a fragment'
  | 'must use port 443 or 8443'
  | 'must not end its host with a dot'
  | 'must be a name or an address of the public internet'
  | 'must not be one of our own addresses'

export interface AddressRules {
  readonly ownZones: readonly string[]
  /** Local use only: http and loopback are allowed. */
  readonly toThisMachine: boolean
}

/** Names that resolve nowhere or inside a network: RFC 6761, RFC 8375, and those that clouds and routers use. */
const innerZones = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
  'test',
  'invalid',
  'example',
]

/** In the public range, but inside a cloud: Azure's agent. */
const innerAddresses = ['168.63.129.16']

/**
 * Whether a webhook may be sent to this URL, judged by its text: null when it may. The same on save and on send;
 * `isPublicAddress` checks what the name resolves to.
 */
export function refuseAddress(
  text: string,
  { ownZones, toThisMachine }: AddressRules,
): AddressRefusal | null {
  // Refuse what a parser would silently repair, since it can hide an address: other scripts, backslashes, blanks,
  // escapes in the host.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || /[\\^`{|}<>"]/.test(text))
    return 'must be an absolute URL in ASCII, without spaces'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)![1]!
  if (authority.includes('@')) return 'must not carry a user name or a password'
  if (authority.includes('%')) return 'must be an absolute URL in ASCII, without spaces'
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'must be an absolute URL in ASCII, without spaces'
  }
  // Extra slashes move the user and the host to where the authority's pattern does not look.
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or a password'
  if (text.includes('#')) return 'must not have a fragment'
  if (url.href !== plainly(text, authority))
    return 'must be written as it is sent, with nothing that a parser repairs'
  const host = url.hostname
  if (toThisMachine && ['127.0.0.1', 'localhost', '[::1]'].includes(host)) return null
  if (url.protocol !== 'https:') return 'must use https'
  if (url.port !== '' && url.port !== '8443') return 'must use port 443 or 8443'
  if (host.endsWith('.')) return 'must not end its host with a dot'
  const bare = host.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(bare))
    return isPublicAddress(bare) ? null : 'must be a name or an address of the public internet'
  if (!/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host))
    return 'must be a name or an address of the public internet'
  if (ownZones.some((zone) => isWithin(host, zone))) return 'must not be one of our own addresses'
  return innerZones.some((zone) => isWithin(host, zone))
    ? 'must be a name or an address of the public internet'
    : null
}

/** The text with its permitted variants normalized: letters' case before the path, the usual port, no path at all. */
function plainly(text: string, authority: string): string {
  const [scheme] = text.toLowerCase().split('://')
  const host = authority.toLowerCase().replace(scheme === 'https' ? /:443$/ : /:80$/, '')
  const rest = text.slice(`${scheme}://${authority}`.length)
  return `${scheme}://${host}${rest.startsWith('/') ? '' : '/'}${rest}`
}

/** True for an IP address that the public internet routes to a single host; everything that wraps another address is not. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || innerAddresses.includes(text)) return false
  const address = ipaddr.parse(text)
  // All of public IPv6 lies in 2000::/3 (RFC 4291): an address outside it without a range of its own is not routed.
  if (address.kind() === 'ipv6' && ((address as ipaddr.IPv6).parts[0]! & 0xe000) !== 0x2000) return false
  return address.range() === 'unicast'
}

/** True where a URL's host is an address itself, and nothing is left to resolve. */
export const isLiteral = (hostname: string): boolean => ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))

const isWithin = (host: string, zone: string) => host === zone || host.endsWith(`.${zone}`)
