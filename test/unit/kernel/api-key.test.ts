import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { mintApiKey, obfuscate, obfuscated, parseApiKey } from '../../../src/kernel/api-key.ts'
import { podOf } from '../../../src/kernel/pods.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The checksum by other means: zlib's CRC-32 in base 62. */
function sealed(body: string): string {
  let rest = BigInt(crc32(body))
  let digits = ''
  for (let at = 0; at < 6; at++, rest /= 62n) digits = base62[Number(rest % 62n)] + digits
  return body + digits
}

const secret = 'S'.repeat(43)
const good = sealed(`sk_sbx_0abcdefghij012345_${secret}_`)

describe('mintApiKey', () => {
  it.each([
    { environment: 'sandbox', pod: '0', starts: 'sk_sbx_0', length: 75 },
    { environment: 'live', pod: 'z', starts: 'sk_live_z', length: 76 },
  ] as const)('$environment in pod $pod', ({ environment, pod, starts, length }) => {
    const { token, kid, last4 } = mintApiKey({ environment, pod })
    expect(token).toMatch(/^sk_(sbx|live)_[0-9a-z]{17}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
    expect(token.startsWith(starts + kid)).toBe(true)
    expect(token.endsWith(last4)).toBe(true)
    expect([last4.length, token.length]).toEqual([4, length])
    expect(parseApiKey(token)).toEqual({ ok: true, environment, kid })
    expect(podOf(token)).toBe(pod)
    expect(sealed(token.slice(0, -6))).toBe(token)
  })

  it.each(['', 'ab', 'A', '_', '-'])('refuses the pod "%s"', (pod) => {
    expect(() => mintApiKey({ environment: 'live', pod })).toThrow(RangeError)
  })
})

describe('parseApiKey', () => {
  it.each([
    {
      name: 'one of ours',
      token: good,
      is: { ok: true, environment: 'sandbox', kid: 'abcdefghij012345' },
    },
    {
      name: 'live',
      token: sealed(`sk_live_9zzzzzzzzzzzzzzzz_${secret}_`),
      is: { ok: true, environment: 'live', kid: 'zzzzzzzzzzzzzzzz' },
    },
    { name: 'nothing', token: '', is: 'unknown_prefix' },
    { name: 'garbage', token: 'garbage', is: 'unknown_prefix' },
    { name: "another service's", token: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc', is: 'unknown_prefix' },
    { name: 'a space before', token: ` ${good}`, is: 'unknown_prefix' },
    { name: 'capitals', token: good.toUpperCase(), is: 'unknown_prefix' },
    { name: 'our prefix in the middle', token: `x${good}`, is: 'unknown_prefix' },
    { name: 'the prefix alone', token: 'sk_sbx_', is: 'malformed' },
    { name: 'one character short', token: good.slice(0, -1), is: 'malformed' },
    { name: 'one character more', token: `${good}0`, is: 'malformed' },
    { name: 'a new line after', token: `${good}\n`, is: 'malformed' },
    { name: 'a kid in capitals', token: good.replace('abcdefghij', 'ABCDEFGHIJ'), is: 'malformed' },
    { name: 'a secret out of the alphabet', token: good.replace('SS', 'S-'), is: 'malformed' },
    { name: 'not ASCII', token: good.replace('SS', 'Sé'), is: 'malformed' },
    { name: 'half a surrogate pair', token: good.replace('SS', 'S\ud800'), is: 'malformed' },
    { name: 'a megabyte', token: `sk_live_${'a'.repeat(1_000_000)}`, is: 'malformed' },
    {
      name: "another environment's prefix",
      token: good.replace('sk_sbx_', 'sk_live_'),
      is: 'wrong_checksum',
    },
    { name: 'a changed pod', token: good.replace('sk_sbx_0', 'sk_sbx_1'), is: 'wrong_checksum' },
    { name: 'a changed kid', token: good.replace('abcdef', 'abcdeg'), is: 'wrong_checksum' },
    { name: 'a changed secret', token: good.replace('SS', 'Ss'), is: 'wrong_checksum' },
    { name: 'swapped characters', token: good.replace('ab', 'ba'), is: 'wrong_checksum' },
    { name: 'another checksum', token: `${good.slice(0, -6)}000000`, is: 'wrong_checksum' },
    { name: 'a checksum above 32 bits', token: `${good.slice(0, -6)}zzzzzz`, is: 'wrong_checksum' },
  ])('$name', ({ token, is }) => {
    expect(parseApiKey(token)).toEqual(typeof is === 'string' ? { ok: false, reason: is } : is)
  })
})

describe('obfuscate', () => {
  it.each([
    { name: 'a sandbox key', token: good, is: `sk_sbx_…${good.slice(-4)}` },
    { name: 'garbage', token: 'hunter2', is: '…' },
    { name: 'a mistyped key', token: good.replace('SS', 'Ss'), is: '…' },
    { name: 'nothing', token: '', is: '…' },
  ])('$name', ({ token, is }) => {
    expect(obfuscate(token)).toBe(is)
  })

  it('is the same from a record as from the token', () => {
    const { token, last4 } = mintApiKey({ environment: 'live', pod: '0' })
    expect(obfuscated('live', last4)).toBe(obfuscate(token))
  })
})
