/**
 * The network that a client address counts as: an IPv4 address itself, of an IPv6 address the /64, since one subscriber
 * has all of it. Text that is no address is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(':')) return address
  const [head = '', tail] = address.split('::') as [string, string?]
  const front = head === '' ? [] : head.split(':')
  const back = tail ? tail.split(':') : []
  // An IPv4 address at the end stands for two groups.
  const groupsMissing = tail === undefined ? 0 : 8 - front.length - back.length - (tail.includes('.') ? 1 : 0)
  const groups = [...front, ...Array.from({ length: Math.max(groupsMissing, 0) }, () => '0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
