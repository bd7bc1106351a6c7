import { expect, test } from 'vitest'
import { networkOf } from '../../../src/kernel/network.ts'

const table: [address: string, network: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
  ['64:ff9b:1:2::192.0.2.33', '64:ff9b:1:2::/64'],
  ['1::2:3:4:5:6:192.0.2.33', '1:2:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['local', 'local'],
]

test.each(table)('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
