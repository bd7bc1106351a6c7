/**
 * The network that a client address counts as: an IPv4 address itself, also where it is mapped into IPv6, of another IPv6
 * address the /64, since one subscriber has all of it. Text that is no address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(':')) return address
  const [head, tail] = address.split('::') as [string, string?]
  const front = head.split(':')
  const back = tail?.split(':') ?? []
  // An IPv4 address at the end stands for two groups, and nothing before or behind `::` for one of zeros.
  const groupsMissing = 8 - front.length - back.length - (address.includes('.') ? 1 : 0)
  const groups = [...front, ...Array<string>(Math.max(groupsMissing, 0)).fill(''), ...back]
  const numbers = groups.map((group) => Number(`0x0${group}`))
  if (/^(0,){5}65535,/.test(numbers.join()))
    return groups[7] ? [6, 7].map((at) => `${numbers[at]! >> 8}.${numbers[at]! & 255}`).join('.') : groups[6]!
  return `${numbers
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
