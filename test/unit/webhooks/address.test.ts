import { afterEach, describe, expect, test, vi } from 'vitest'
import { guardAddress } from '../../../functions/developer/webhooks/dns-guard.ts'
import { isPublicAddress, refuseAddress } from '../../../functions/developer/webhooks/url-policy.ts'
import type { Settings } from '../../../src/env/settings.ts'
import { hostileAddresses } from '../../support/hostile.ts'

const rules = { ownZones: ['spindle.example', 'workers.dev'], toThisMachine: false }
const local = { ...rules, toThisMachine: true }

test('there are at least sixty hostile addresses', () => {
  expect(new Set(hostileAddresses.map(([, url]) => url)).size).toBeGreaterThanOrEqual(60)
})

test.each(hostileAddresses)('refused, %s: %s', (_why, url) => {
  expect(refuseAddress(url, rules)).not.toBeNull()
})

test.each([
  'https://shop.example.com/hooks',
  'https://shop.example.com:443/hooks?a=b',
  'https://shop.example.com:8443',
  'https://1password.com/hooks',
  'https://xn--maana-pta.com/hooks',
  'https://a.b.c.d.example.org/%20path',
  'https://93.184.215.14/hooks',
  'https://[2606:4700:4700::1111]/hooks',
  'HTTPS://SHOP.EXAMPLE.COM/hooks',
])('allowed: %s', (url) => {
  expect(refuseAddress(url, rules)).toBeNull()
})

/* What a parser reads is what is sent, whatever the text looks like: where the two differ the text is refused. */
test.each([
  ['user info behind a third slash', 'https:///user:pw@shop.mx/x', 'a user name'],
  ['behind four', 'https:////user:pw@shop.mx/x', 'a user name'],
  ['a user alone', 'https:///user@shop.mx/x', 'a user name'],
  ['an empty user', 'https:///@shop.mx/x', 'as it is sent'],
  ['an empty password', 'https://:@shop.mx/x', 'a user name'],
  ['an at sign in escapes', 'https://user%40shop.mx/x', 'absolute URL'],
  ['a third slash', 'https:///shop.mx/x', 'as it is sent'],
  ['a slash too few', 'https:/shop.mx/x', 'absolute URL'],
  ['none', 'https:shop.mx/x', 'absolute URL'],
  ['a backslash', 'https:\\\\shop.mx/x', 'absolute URL'],
  ['a backslash behind the host', 'https://shop.mx\\@10.0.0.1/x', 'absolute URL'],
  ['a tab in the scheme', 'ht\ttps://shop.mx/x', 'absolute URL'],
  ['a tab in the host', 'https://sh\top.mx/x', 'absolute URL'],
  ['a line end in the host', 'https://shop\n.mx/x', 'absolute URL'],
  ['a line end at the end', 'https://shop.mx/x\n', 'absolute URL'],
  ['white space before', ' https://shop.mx/x', 'absolute URL'],
  ['a name in another script', 'https://caf\u00e9.mx/x', 'absolute URL'],
  ['full-width letters', 'https://\uff53hop.mx/x', 'absolute URL'],
  ['an ideographic full stop', 'https://shop\u3002mx/x', 'absolute URL'],
  ['a dot at the end of the host', 'https://shop.mx./x', 'dot'],
  ['octal', 'https://0135.0270.0330.016/x', 'as it is sent'],
  ['hexadecimal', 'https://0x5db8d80e/x', 'as it is sent'],
  ['one number', 'https://1572395022/x', 'as it is sent'],
  ['three numbers', 'https://93.184.55310/x', 'as it is sent'],
  ['IPv4 in IPv6', 'https://[::ffff:93.184.215.14]/x', 'as it is sent'],
  ['IPv4 in IPv6, in short', 'https://[::ffff:5db8:d70e]/x', 'public internet'],
  ['IPv6 in full', 'https://[2606:4700:4700:0:0:0:0:1111]/x', 'as it is sent'],
  ['IPv6 with a zone', 'https://[fe80::1%25eth0]/x', 'absolute URL'],
  ['an escaped host', 'https://%73hop.mx/x', 'absolute URL'],
  ['a leading zero in the port', 'https://shop.mx:0443/x', 'as it is sent'],
  ['no port behind the colon', 'https://shop.mx:/x', 'as it is sent'],
  ['dots in the path', 'https://shop.mx/a/../b', 'as it is sent'],
  ['escaped dots in the path', 'https://shop.mx/a/%2e%2e/b', 'as it is sent'],
  ['a query that is escaped when it is sent', "https://shop.mx/x?a='b'", 'as it is sent'],
])('%s: %s', (_what, url, reason) => {
  expect(refuseAddress(url, rules)).toContain(reason)
})

describe('local use', () => {
  test.each(['http://127.0.0.1:3000/hook', 'http://localhost:3000/hook', 'https://localhost:1/x'])(
    'may send to this machine: %s',
    (url) => {
      expect(refuseAddress(url, local)).toBeNull()
    },
  )
  test.each(['http://10.0.0.1/', 'http://127.0.0.2/', 'http://shop.example.com/', 'http://0.0.0.0:80/'])(
    'and nowhere else that is forbidden: %s',
    (url) => {
      expect(refuseAddress(url, local)).not.toBeNull()
    },
  )
})

describe('what a name resolves to', () => {
  afterEach(() => vi.unstubAllGlobals())

  const settings = {
    webhooks: { ...rules, dnsOverHttpsUrl: 'https://resolver.test/dns-query' },
  } as unknown as Settings

  /** The resolver's answers to A and AAAA: addresses, a status, or a failure. */
  const resolver = (answers: { A?: string[]; AAAA?: string[]; status?: number; down?: boolean }) => {
    const asked = vi.fn(async (url: string) => {
      if (answers.down) throw new Error('no resolver')
      const type = new URL(url).searchParams.get('type') as 'A' | 'AAAA'
      const data = answers[type] ?? []
      const Answer = data.map((each) => ({ type: type === 'A' ? 1 : 28, data: each }))
      return Response.json({
        Status: answers.status ?? 0,
        Answer: [{ type: 5, data: 'alias.test.' }, ...Answer],
      })
    })
    vi.stubGlobal('fetch', asked)
    return asked
  }
  const guard = () => guardAddress(settings, 'https://shop.example.com/hooks')

  test.each([
    ['public', { A: ['93.184.215.14'], AAAA: ['2606:4700::1111'] }, null],
    ['one of two is loopback', { A: ['93.184.215.14', '127.0.0.1'] }, 'dns'],
    ['private', { A: ['10.0.0.1'] }, 'dns'],
    ['metadata', { A: ['169.254.169.254'] }, 'dns'],
    ['unique local', { A: ['93.184.215.14'], AAAA: ['fd00::1'] }, 'dns'],
    ['IPv4 in IPv6', { AAAA: ['::ffff:10.0.0.1'] }, 'dns'],
    ['NAT64', { AAAA: ['64:ff9b::a00:1'] }, 'dns'],
    ['no address', {}, 'dns'],
    ['no such name', { status: 3 }, 'dns'],
    ['resolver fails', { status: 2 }, 'dns'],
    ['resolver is gone', { down: true }, 'dns'],
  ] as const)('%s', async (_what, answers, failure) => {
    resolver(answers as never)
    expect((await guard())?.failure ?? null).toBe(failure)
  })

  test('answers that change between save and send', async () => {
    resolver({ A: ['93.184.215.14'] })
    expect(await guard()).toBeNull()
    resolver({ A: ['192.168.1.1'] })
    expect(await guard()).toMatchObject({ failure: 'dns' })
  })

  test('an address is not resolved, and a refused name is not queried', async () => {
    const asked = resolver({})
    expect(await guardAddress(settings, 'https://93.184.215.14/')).toBeNull()
    expect(await guardAddress(settings, 'https://10.0.0.1/')).toMatchObject({ failure: 'address' })
    expect(asked).not.toHaveBeenCalled()
  })
})

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['not an address', false],
  ['::ffff:8.8.8.8', false],
  ['2002:0808:0808::1', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})
