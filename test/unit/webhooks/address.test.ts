import { afterEach, describe, expect, test, vi } from 'vitest'
import { isPublicAddress, refuseAddress } from '../../../functions/webhooks/address.ts'
import { guardAddress } from '../../../functions/webhooks/resolve.ts'
import type { Settings } from '../../../src/env.ts'
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

describe('local use', () => {
  test.each(['http://127.0.0.1:3000/hook', 'http://localhost:3000/hook', 'https://localhost:1/x'])(
    'may send to this machine: %s',
    (url) => {
      expect(refuseAddress(url, local)).toBeNull()
    },
  )
  test.each(['http://10.0.0.1/', 'http://127.0.0.2/', 'http://shop.example.com/', 'http://0.0.0.0:80/'])(
    'and nowhere else that it may not: %s',
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

  test('an address is not resolved, a refused one not asked about', async () => {
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
